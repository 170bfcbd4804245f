// Finds the processes of a command, and signals and ends them: as one process group, one by one, or those that the command has left running.
// A group id is not reused while a member lives; when none does, a signal fails (ESRCH) and the group is not signalled again.
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { LeftProcesses } from "../../domain/step.ts";
import { isAlive, parseStat, statOf } from "../../process/process-stat.ts";

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

export type FoundProcess = ReturnType<typeof parseStat> & {
  readonly pid: number;
  /** It has left the group of its command: orch does not end it. */
  readonly has_moved?: true;
};

/** What ends by itself within this time was only about to end. */
const SETTLE_MS = 150;
const SETTLE_POLL_MS = 10;
const MAX_NAMES = 10;

/** The kernel answers at once, and a thread for each file would cost more than the reading. A process may have ended meanwhile. */
function readOr<T, E>(read: () => T, otherwise: E): T | E {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Null without /proc. A zombie is dead. */
export async function livingProcesses(
  isWanted: (pid: number) => boolean = () => true,
): Promise<readonly FoundProcess[] | null> {
  // Node waits for its own dead children in between.
  await setImmediate();
  const entries = readOr(() => readdirSync("/proc"), null);
  if (entries === null) return null;
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const stats = pids.filter(isWanted).map((pid) => ({
    pid,
    ...parseStat(readOr(() => readFileSync(`/proc/${pid}/stat`, "latin1"), "")),
  }));
  return stats.filter(({ state }) => state !== "" && state !== "Z" && state !== "X");
}

/** The descendants of a process, without the first `generations` of them. */
export async function processesBelow(pid: number, generations = 0): Promise<readonly FoundProcess[]> {
  const all = (await livingProcesses()) ?? [];
  const found: FoundProcess[] = [];
  let parents = new Set([pid]);
  for (let depth = 0; parents.size > 0; depth += 1) {
    const children = all.filter(({ parent }) => parents.has(parent));
    if (depth >= generations) found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found;
}

/**
 * Those that have moved to another group: they are newer than the command, have the environment of its task, and have lost their parent.
 * A command of another server may have the same environment, but its parent lives.
 */
export async function processesMoved(pid: number, task_id: string): Promise<readonly FoundProcess[]> {
  const last = Number(
    readOr(() => readFileSync("/proc/loadavg", "latin1"), "")
      .split(" ")
      .at(-1),
  );
  // The numbers may have begun anew meanwhile.
  const newer = (await livingProcesses((one) => one > pid || last < pid)) ?? [];
  const mark = Buffer.from(`ORCH_TASK_ID=${task_id}\0`);
  const isMarked = newer.map(({ pid: one }) =>
    readOr(() => readFileSync(`/proc/${one}/environ`), null)?.includes(mark),
  );
  const marked = new Map(newer.filter((_, at) => isMarked[at]).map((one) => [one.pid, one]));
  const adopters = adoptersHere();
  const isOrphan = (one: FoundProcess): boolean => {
    const parent = marked.get(one.parent);
    return parent === undefined ? adopters.has(one.parent) : isOrphan(parent);
  };
  return [...marked.values()]
    .filter((one) => one.group !== pid && isOrphan(one))
    .map((one) => ({ ...one, has_moved: true }));
}

/** The processes that can get the orphans of a command as children: process 1, and what started the server. */
function adoptersHere(): ReadonlySet<number> {
  const parentOf = (pid: number): number => statOf(pid)?.parent ?? 1;
  const found = new Set([1]);
  for (let pid = parentOf(process.ppid); pid > 1 && !found.has(pid); pid = parentOf(pid)) found.add(pid);
  return found;
}

/** What is left once that which was about to end has ended. */
export async function settledProcesses(find: () => Promise<readonly FoundProcess[]>): Promise<readonly FoundProcess[]> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const found = await find();
    if (found.length === 0 || performance.now() > until) return found;
    await sleep(SETTLE_POLL_MS);
  }
}

/** After orch has tried to end them. A shell that waits for another of them is not counted. */
export async function describeLeft(found: readonly FoundProcess[]): Promise<LeftProcesses | null> {
  const parents = new Set(found.map(({ parent }) => parent));
  const left = found.filter(({ pid }) => !parents.has(pid));
  if (left.length === 0) return null;
  const until = performance.now() + AFTER_KILL_MS;
  const isEnding = (one: FoundProcess) => one.has_moved !== true && isAlive(one);
  while (left.some(isEnding) && performance.now() < until) await sleep(SETTLE_POLL_MS);
  const running = left.filter(isAlive).length;
  const names = [...new Set(left.map(({ name }) => name.replace(/[^\x20-\x7e]/g, "?") || "?"))];
  return { ended: left.length - running, running, names: names.toSorted().slice(0, MAX_NAMES) };
}
