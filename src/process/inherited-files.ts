// Files that the process was started with, which its commands would inherit: node keeps the first sixteen from them, and no others.
import { closeSync, readdirSync, readFileSync } from "node:fs";

const FDS = "/proc/self/fd";
const FIRST = 3;
const CLOSED_ON_EXEC: number = 0o2000000;

/** Closes those that node has not opened itself. */
export function closeInherited(): void {
  for (const name of readdirSync(FDS)) if (Number(name) >= FIRST && isInherited(name)) closeSync(Number(name));
}

function isInherited(fd: string): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // It was that of the directory itself.
    return false;
  }
}
