// The process that runs commands (D-035) outlives a server that is killed for as long as its commands may take to end. A start waits
// for it, and ends it where it does not end: from then on, nothing that it had started in a namespace runs (D-300).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { parseJson } from "../../../domain/json-values.ts";
import { bootId, identityOf, isAlive } from "../../../process/process-stat.ts";
import { AFTER_KILL_MS, signalProcess } from "../containment/process-group.ts";
import type { Leftover } from "./leftover-groups.ts";

const Identity = z.strictObject({ pid: z.int().min(2), started: z.string().regex(/^\d+$/) });
const Note = Identity.extend({ boot_id: z.string().min(1), server: Identity });

const POLL_MS = 20;

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

/** Those of servers that are gone. */
export async function endLeftoverRunners(running_dir: string, patience_ms: number): Promise<Leftover[]> {
  const directory = notesBeside(running_dir);
  const files = existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
  const found = await Promise.all(
    files.map(async (file) => {
      const note = read(file);
      if (note !== null && note.boot_id === bootId() && isAlive(note.server)) return null;
      const isLeft = note !== null && note.boot_id === bootId() && isAlive(note);
      const ended = isLeft ? await end(note, patience_ms) : true;
      rmSync(file, { force: true });
      return isLeft ? { pid: note.pid, ended } : null;
    }),
  );
  return found.filter((leftover) => leftover !== null);
}

async function end(note: z.infer<typeof Note>, patience_ms: number): Promise<boolean> {
  if (await hasEnded(note, patience_ms)) return true;
  signalProcess(note.pid, "SIGKILL");
  return hasEnded(note, AFTER_KILL_MS);
}

async function hasEnded(note: z.infer<typeof Note>, within_ms: number): Promise<boolean> {
  const until = performance.now() + within_ms;
  while (isAlive(note)) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function read(file: string): z.infer<typeof Note> | null {
  try {
    return Note.parse(parseJson(readFileSync(file, "utf8")));
  } catch {
    return null; // It is no record of orch.
  }
}
