// Signals to a command and all it has started, as one process group. A group id cannot be given to another process while
// a member lives; once none does, a signal says so (ESRCH) and the group is not signalled again.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;
const AFTER_KILL_MS = 2_000;

/** False when no process of the group is left. Signal 0 only asks. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(-pid, signal);
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

async function isGone(pid: number, within_ms: number): Promise<boolean> {
  const end = performance.now() + within_ms;
  while (signalGroup(pid, 0) && (await hasLiving(pid))) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(POLL_MS, left));
  }
  return true;
}

/** A dead member stays in its group until its parent takes note, in a container without an init for ever. */
async function hasLiving(group: number): Promise<boolean> {
  const entries = await readdir("/proc").catch(() => null);
  // Where there is no /proc the answer to signal 0 has to do.
  if (entries === null) return true;
  const pids = entries.filter((entry) => /^\d+$/.test(entry));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")));
  return stats.some((stat) => {
    // `pid (name) state parent group ...`, where the name may hold anything.
    const [state, , of] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return of === String(group) && state !== "Z";
  });
}
