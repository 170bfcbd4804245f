// Watches the process of a skill: it yields now and then, it does something, and it keeps to its memory.
import { readFile } from "node:fs/promises";
import type { FromRun } from "./orders.ts";

export type RunLimits = {
  readonly memory_mb: number;
  /** How long its code may go on without yielding. */
  readonly loop_ms: number;
  /** How long it may wait for something else than the server. */
  readonly idle_ms: number;
};

type Watched = { readonly ask: () => void; readonly lose: (why: string) => void };

const LOOK_MS = 500;
const MB = 1024 * 1024;
/** What a process has before the code of a skill is loaded. */
const OWN_MB = 128;

export function watchRun(pid: number | undefined, { memory_mb, loop_ms, idle_ms }: RunLimits, { ask, lose }: Watched) {
  let alive_at = performance.now();
  // Null until it is heard for the first time: to start takes as long as the machine is busy.
  let active_at: number | null = null;
  let waiting = 0;
  const look = async (): Promise<void> => {
    const now = performance.now();
    if (now - alive_at > loop_ms) return lose(`its code has not yielded for ${loop_ms / 1000} s`);
    if (active_at !== null && waiting === 0 && now - active_at > idle_ms)
      return lose(`it has done nothing for ${idle_ms / 60_000} min`);
    ask();
    if ((await residentBytes(pid)) > (memory_mb + OWN_MB) * MB) lose(`it uses more than ${memory_mb} MiB of memory`);
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    heard: ({ is }: FromRun): void => {
      alive_at = performance.now();
      if (is !== "alive" || active_at === null) active_at = alive_at;
    },
    waits: (isWaiting: boolean): void => {
      waiting += isWaiting ? 1 : -1;
      active_at = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

const PAGE_BYTES = 4096;

/** 0 where the system does not say. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
}
