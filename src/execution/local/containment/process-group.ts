// Signals to a command and all it has started, as one process group. A group id cannot be given to another process while
// a member lives; once none does, a signal says so (ESRCH) and the group is not signalled again.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseStat } from "./process-stat.ts";

const POLL_MS = 20;
export const AFTER_KILL_MS = 2_000;

type Signal = "SIGTERM" | "SIGKILL" | 0;

/** False when no process of the group is left. Signal 0 only asks. */
export const signalGroup = (pid: number, signal: Signal): boolean => send(-pid, signal);

/** False when there is no such process. Only for one that has not been waited for, or its pid may be another's. */
export const signalProcess = (pid: number, signal: Signal): boolean => send(pid, signal);

function send(target: number, signal: Signal): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ESRCH") return false;
    // All that is left runs as another user (sudo): it is there, and not ours to end.
    if (code === "EPERM") return true;
    throw error;
  }
}

/** SIGTERM, after `grace_ms` SIGKILL. Comes back when the group is gone, or 2 s after SIGKILL though it is not. */
export async function stopGroup(pid: number, grace_ms: number): Promise<void> {
  signalGroup(pid, "SIGTERM");
  if (await isGone(pid, grace_ms)) return;
  signalGroup(pid, "SIGKILL");
  await isGone(pid, AFTER_KILL_MS);
}

/** Whether within that time no member of the group lives any more; one `but` is not asked about. */
export async function isGone(pid: number, within_ms: number, but?: number): Promise<boolean> {
  const end = performance.now() + within_ms;
  while (signalGroup(pid, 0) && (await hasLiving(pid, but))) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(POLL_MS, left));
  }
  return true;
}

/** A dead member stays in its group until its parent takes note, in a container without an init for ever. */
async function hasLiving(group: number, but?: number): Promise<boolean> {
  const entries = await readdir("/proc").catch(() => null);
  // Where there is no /proc the answer to signal 0 has to do.
  if (entries === null) return true;
  const pids = entries.filter((entry) => /^\d+$/.test(entry) && Number(entry) !== but);
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")));
  return stats.map(parseStat).some((stat) => stat.group === group && stat.state !== "Z");
}
