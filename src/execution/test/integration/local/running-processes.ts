// Reads from /proc what a process has started.
import { readFileSync } from "node:fs";

export function childrenOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** Empty when it has ended, also where nothing has waited for it yet. */
export function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
