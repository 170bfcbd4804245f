// Finds the processes that a command has left running, and says which of them orch ended.
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { LeftProcesses } from "../../../domain/step.ts";
import { isAlive, parseStat, statOf } from "../../../process/process-stat.ts";

export type FoundProcess = ReturnType<typeof parseStat> & {
  readonly pid: number;
  /** It has left the group of its command: orch does not end it. */
  readonly has_moved?: true;
};

/** What ends by itself within this time was only about to end. */
const SETTLE_MS = 150;
const AFTER_KILL_MS = 2_000;
const POLL_MS = 10;
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
    await sleep(POLL_MS);
  }
}

/** After orch has tried to end them. A shell that waits for another of them is not counted. */
export async function describeLeft(found: readonly FoundProcess[]): Promise<LeftProcesses | null> {
  const parents = new Set(found.map(({ parent }) => parent));
  const left = found.filter(({ pid }) => !parents.has(pid));
  if (left.length === 0) return null;
  const until = performance.now() + AFTER_KILL_MS;
  const isEnding = (one: FoundProcess) => one.has_moved !== true && isAlive(one);
  while (left.some(isEnding) && performance.now() < until) await sleep(POLL_MS);
  const running = left.filter(isAlive).length;
  const names = [...new Set(left.map(({ name }) => name.replace(/[^\x20-\x7e]/g, "?") || "?"))];
  return { ended: left.length - running, running, names: names.toSorted().slice(0, MAX_NAMES) };
}
