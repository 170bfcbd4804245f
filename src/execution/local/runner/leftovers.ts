// Ends what a server that was killed has left running, before any task resumes: the groups of its commands (D-063), also after a runner
// was lost, and the process that runs commands (D-035, D-300). A record counts only when pid, start time and boot are those of a process that lives.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { bootId, identityOf, isAlive, statOf } from "../../../process/process-stat.ts";
import { AFTER_KILL_MS, isGone, signalProcess, stopGroup } from "../containment/process-group.ts";

const MAX_BYTES = 4096;
const POLL_MS = 20;
const Identity = z.strictObject({ pid: z.int().min(1), started: z.string().regex(/^\d+$/) });
// A signal to group 1 would reach every process.
const Left = Identity.extend({ pid: z.int().min(2), boot_id: z.string().min(1) });
const LeftGroup = Left.extend({ owners: z.array(Identity).min(1).max(2) });
const LeftRunner = Left.extend({ server: Identity });
type LeftRunner = z.infer<typeof LeftRunner>;

export type Leftover = { readonly pid: number; readonly ended: boolean };

/** Null for a file that is damaged, or no record of orch. */
async function read<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    if ((await stat(file)).size > MAX_BYTES) return null;
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

/** A directory that does not exist contains no groups. */
export async function endLeftoverGroups(directory: string, grace_ms: number): Promise<Leftover[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found = await Promise.all(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => settle(join(directory, entry.name), entry.isFile(), grace_ms)),
  );
  return found.filter((leftover) => leftover !== null);
}

async function settle(file: string, readable: boolean, grace_ms: number): Promise<Leftover | null> {
  const note = readable ? await read(file, LeftGroup) : null;
  // Their runner writes into it again.
  if (note?.boot_id === bootId() && note.owners.every(isAlive)) return null;
  const isLeader = note?.boot_id === bootId() && isAlive(note) && statOf(note.pid)?.group === note.pid;
  if (isLeader) await stopGroup(note.pid, grace_ms);
  const leftover = isLeader ? { pid: note.pid, ended: await isGone(note.pid, 0) } : null;
  await rm(file, { force: true });
  return leftover;
}

/** Beside the directory of the records of groups. */
const notesBeside = (running_dir: string): string => join(dirname(running_dir), "runners");

/**
 * For the server that has started the process. What it returns removes the note. Without an fsync: after a power cut there is no
 * process left.
 */
export function noteRunner(running_dir: string, pid: number): () => void {
  const [identity, server, boot_id] = [identityOf(pid), identityOf(process.pid), bootId()];
  if (identity === null || server === null || boot_id === null) return () => undefined;
  const directory = notesBeside(running_dir);
  const file = join(directory, `${pid}.json`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ ...identity, boot_id, server }), { mode: 0o600 });
  } catch (error) {
    process.emitWarning(`cannot record the process that runs commands: ${String(error)}`);
  }
  return () => rmSync(file, { force: true });
}

/**
 * The process that runs commands outlives a server that is killed for as long as its commands may take to end. A start waits for
 * it, and ends it where it does not end: from then on, nothing that it had started in a namespace runs. Those of servers that are
 * gone.
 */
export async function endLeftoverRunners(running_dir: string, patience_ms: number): Promise<Leftover[]> {
  const directory = notesBeside(running_dir);
  const names = existsSync(directory) ? await readdir(directory) : [];
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(directory, name);
      const note = await read(file, LeftRunner);
      if (note?.boot_id === bootId() && isAlive(note.server)) return null;
      const isLeft = note?.boot_id === bootId() && isAlive(note);
      const ended = isLeft && (await endRunner(note, patience_ms));
      await rm(file, { force: true });
      return isLeft ? { pid: note.pid, ended } : null;
    }),
  );
  return found.filter((leftover) => leftover !== null);
}

async function endRunner(note: LeftRunner, patience_ms: number): Promise<boolean> {
  if (await hasEnded(note, patience_ms)) return true;
  signalProcess(note.pid, "SIGKILL");
  return hasEnded(note, AFTER_KILL_MS);
}

async function hasEnded(note: LeftRunner, within_ms: number): Promise<boolean> {
  const until = performance.now() + within_ms;
  while (isAlive(note)) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}
