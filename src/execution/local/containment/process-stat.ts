// Reads a process from /proc/<pid>/stat. A pid may be reused; together with the start time it identifies one process until
// the machine restarts.
import { readFileSync } from "node:fs";

export type ProcessIdentity = { readonly pid: number; readonly started: string };
type ProcessStat = { readonly state: string; readonly group: number; readonly started: string };

/** `started` counts clock ticks since the machine started. */
export function parseStat(text: string): ProcessStat {
  // `pid (name) state parent group ...`; the name may contain any character.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", group: Number(fields[2]), started: fields[19] ?? "" };
}

/** Null when no such process lives. A zombie is dead; its parent has not waited for it yet. */
export function statOf(pid: number): ProcessStat | null {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return stat.state === "Z" || stat.state === "X" ? null : stat;
  } catch {
    return null; // No such process, or no /proc.
  }
}

export function identityOf(pid: number): ProcessIdentity | null {
  const stat = statOf(pid);
  return stat && { pid, started: stat.started };
}

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => statOf(pid)?.started === started;
