// Ends the process groups that a crashed server has left running, before any task resumes and after a runner was lost
// (D-063). A record counts only when pid, start time and boot are those of a living group leader; others are removed.
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { bootId, isAlive, statOf } from "../../../process/process-stat.ts";
import { isGone, stopGroup } from "../containment/process-group.ts";
import type { GroupNote } from "./running-groups.ts";

const MAX_BYTES = 4096;
const Identity = z.strictObject({ pid: z.int().min(1), started: z.string().regex(/^\d+$/) });
const Note = Identity.extend({
  // A signal to group 1 would reach every process.
  pid: z.int().min(2),
  boot_id: z.string().min(1),
  owners: z.array(Identity).min(1).max(2),
});

export type Leftover = { readonly pid: number; readonly ended: boolean };

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
  const note = readable ? await read(file) : null;
  // Their runner writes into it again.
  if (note?.boot_id === bootId() && note.owners.every(isAlive)) return null;
  const leftover = note !== null && isItself(note) ? await end(note.pid, grace_ms) : null;
  await rm(file, { force: true });
  return leftover;
}

async function read(file: string): Promise<GroupNote | null> {
  try {
    if ((await stat(file)).size > MAX_BYTES) return null;
    return Note.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null; // Damaged, or not a record of orch.
  }
}

const isItself = (note: GroupNote): boolean =>
  note.boot_id === bootId() && isAlive(note) && statOf(note.pid)?.group === note.pid;

async function end(pid: number, grace_ms: number): Promise<Leftover> {
  await stopGroup(pid, grace_ms);
  return { pid, ended: await isGone(pid, 0) };
}
