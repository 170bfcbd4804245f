// Sends signals to a command and all its processes as one process group. A group id is not reused while a member lives;
// when none does, a signal fails (ESRCH) and the group is not signalled again.
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { livingProcesses } from "./left-processes.ts";

const POLL_MS = 20;
export const AFTER_KILL_MS = 2_000;

type Signal = "SIGTERM" | "SIGKILL" | 0;

/** Null for one without a name. Some have two, of which Node gives the first. */
export function signalOf(number: number): NodeJS.Signals | null {
  const known = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return known.find(([, value]) => value === number)?.[0] ?? null;
}

/** False when no process of the group is left. Signal 0 only asks. */
export const signalGroup = (pid: number, signal: Signal): boolean => send(-pid, signal);

/** False when there is no such process. Only for a process that has not been waited for: otherwise its pid may be reused. */
export const signalProcess = (pid: number, signal: Signal): boolean => send(pid, signal);

function send(target: number, signal: Signal): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ESRCH") return false;
    // All remaining processes run as another user (sudo): they exist, and this account cannot end them.
    if (code === "EPERM") return true;
    throw error;
  }
}

/** SIGTERM, then SIGKILL after `grace_ms`. Resolves when the group is gone, at the latest 2 s after SIGKILL. */
export async function stopGroup(pid: number, grace_ms: number): Promise<void> {
  signalGroup(pid, "SIGTERM");
  if (await isGone(pid, grace_ms)) return;
  signalGroup(pid, "SIGKILL");
  await isGone(pid, AFTER_KILL_MS);
}

type Member = { readonly pid: number; readonly parent: number };

/** Whether all members of the group end within that time, but for those that are excepted. */
export async function isGone(
  pid: number,
  within_ms: number,
  isExcepted: (member: Member) => boolean = () => false,
): Promise<boolean> {
  const end = performance.now() + within_ms;
  while (signalGroup(pid, 0) && (await hasLiving(pid, isExcepted))) {
    const left = end - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(POLL_MS, left));
  }
  return true;
}

/** A dead member stays in its group until its parent waits for it; in a container without an init, for ever. */
async function hasLiving(group: number, isExcepted: (member: Member) => boolean): Promise<boolean> {
  const all = await livingProcesses();
  // Without /proc, the answer to signal 0 decides.
  return all === null || all.some((stat) => stat.group === group && !isExcepted(stat));
}
