// Reads a process from /proc/<pid>/stat. A pid may be reused; together with the start time it identifies one process until
// the machine restarts.
import { readFileSync } from "node:fs";

export type ProcessIdentity = { readonly pid: number; readonly started: string };
type ProcessStat = {
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly started: string;
};

/** `started` counts clock ticks since the machine started. */
export function parseStat(text: string): ProcessStat {
  // `pid (name) state parent group ...`; the name may contain any character.
  const end = text.lastIndexOf(")");
  const name = text.slice(text.indexOf("(") + 1, end);
  const fields = text.slice(end + 2).split(" ");
  return {
    name,
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    started: fields[19] ?? "",
  };
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

/** Empty when there is no such process. */
export function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => statOf(pid)?.started === started;

/** Identifies this boot of the machine; null where the kernel does not provide it. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}
