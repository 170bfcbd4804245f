// Ends what a server that was killed has left running, before any task resumes: the groups of its commands (D-063), also after a runner
// was lost, the process that runs commands (D-035, D-300), and namespaces that have lost their parent (D-229). A record counts only when pid,
// start time and boot are those of a process that lives.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { OrchError } from "../../../domain/errors.ts";
import { argumentsOf, bootId, identityOf, isAlive, statOf } from "../../../process/process-stat.ts";
import { isLauncherOfNamespace } from "../../sandbox/launcher.ts";
import { AFTER_KILL_MS, isGone, signalProcess, stopGroup } from "../../sandbox/processes.ts";

const MAX_BYTES = 4096;
const POLL_MS = 20;
const Identity = z.strictObject({ pid: z.int().min(1), started: z.string().regex(/^\d+$/) });
// A signal to group 1 would reach every process.
const Left = Identity.extend({ pid: z.int().min(2), boot_id: z.string().min(1) });
const LeftGroup = Left.extend({ owners: z.array(Identity).min(1).max(2) });
const LeftRunner = Left.extend({ server: Identity });
type LeftRunner = z.infer<typeof LeftRunner>;

const GRACE_MS = 5_000;

type LogEntry = { readonly message: string } & Readonly<Record<string, unknown>>;

/** Sentences for the log, each with its facts. The directory has the records of running groups, and is created when it is missing. */
export async function endLeftovers(running_dir: string): Promise<LogEntry[]> {
  await mkdir(running_dir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const message = `The directory ${running_dir} cannot be created (${error.code}).`;
    throw new OrchError("config_invalid", message, { fix: "Set ORCH_DATA_DIR to one that can.", cause: error });
  });
  const groups = await endLeftoverGroups(running_dir, GRACE_MS);
  // It waits for its commands itself: those in namespaces are not among the groups.
  const runners = await endLeftoverRunners(running_dir, GRACE_MS + AFTER_KILL_MS);
  await endOrphanedNamespaces();
  const left = runners.filter(({ ended }) => !ended).map((runner) => ({ ...runner, message: RUNNER_NOT_ENDED }));
  return [...groups.map((group) => ({ ...group, message: group.ended ? ENDED : NOT_ENDED })), ...left];
}

const RUNNER_NOT_ENDED = "the process that ran the commands of a lost server could not be ended; end it by hand.";

const ENDED = "a command that a lost server had left running was ended; check what it may have half done.";

const NOT_ENDED = "a command that a lost server had left running could not be ended; end it by hand.";

/**
 * A bubblewrap that is killed before it has answered its child leaves the child waiting for ever. Nothing has begun in such a namespace: what
 * has begun ends with its parent. A child that has begun is a shell.
 */
export async function endOrphanedNamespaces(): Promise<void> {
  const entries = await readdir("/proc").catch(() => []);
  for (const pid of entries.filter((entry) => /^\d+$/.test(entry)).map(Number)) {
    const stat = statOf(pid);
    if (stat?.name !== "bwrap" || !isLauncherOfNamespace(argumentsOf(pid))) continue;
    if (stat.parent === 1 || statOf(stat.parent)?.name === "systemd") signalProcess(pid, "SIGKILL");
  }
}

type Leftover = { readonly pid: number; readonly ended: boolean };

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
async function endLeftoverRunners(running_dir: string, patience_ms: number): Promise<Leftover[]> {
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
