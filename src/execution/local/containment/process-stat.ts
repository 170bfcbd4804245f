// What the kernel tells of a process in /proc/<pid>/stat. A pid alone may be given to another process later; with the time
// of its start it means one process only, until the machine starts anew.
import { readFileSync } from "node:fs";

export type ProcessIdentity = { readonly pid: number; readonly started: string };
export type ProcessStat = { readonly state: string; readonly group: number; readonly started: string };

/** `started` counts clock ticks since the machine started. */
export function parseStat(text: string): ProcessStat {
  // `pid (name) state parent group ...`, where the name may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", group: Number(fields[2]), started: fields[19] ?? "" };
}

/** Null when no such process lives: a zombie is dead, and its parent has not taken note yet. */
export function statOf(pid: number): ProcessStat | null {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return stat.state === "Z" || stat.state === "X" ? null : stat;
  } catch {
    return null; // There is no such process, or no /proc to ask.
  }
}

export function identityOf(pid: number): ProcessIdentity | null {
  const stat = statOf(pid);
  return stat && { pid, started: stat.started };
}

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => statOf(pid)?.started === started;
