// Bounds what a wakeup begins, and says how often it is tried: the same within one server and for several.
import { setTimeout as sleep } from "node:timers/promises";
import type { Timer } from "../ports.ts";
import type { Looked, WakeupLog } from "./port.ts";

export const MOST_TRIES = 20;
export const FIRST_PAUSE_S = 1;
export const LONGEST_PAUSE_S = 60;
/** A handle that takes longer keeps those after it waiting. */
const HANDLE_MS = 30_000;
export const STOP_MS = 4_000;

/** Before the next try, twice as long after each. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_S * 2 ** Math.min(tries, MOST_TRIES), LONGEST_PAUSE_S) * 1_000;

export type Handle = (id: string) => Promise<Looked>;

/** One look, with every fault logged, because it is tried again. Never rejects. */
export async function lookAt(id: string, handle: Handle, log: WakeupLog, limit_ms = HANDLE_MS): Promise<Looked> {
  let looked: Looked = "again";
  try {
    const look = async () => {
      looked = await handle(id);
    };
    if (await inTime(look(), limit_ms)) return looked;
    log.error({ id }, "what a wakeup began does not end; it is tried again");
  } catch (error) {
    log.error({ id, err: error }, "what a wakeup began has failed; it is tried again");
  }
  return "again";
}

/** Whether the work has ended in time; it goes on otherwise. Rejects with the work. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
  }
}

/** Returns what unsets it. */
export type Later = (act: () => void, ms: number) => () => void;

/** Timers that can be counted, and unset together. */
export function createTimers(timer: Timer) {
  const set = new Set<() => void>();
  const later: Later = (act, ms) => {
    const clear = timer(() => {
      set.delete(unset);
      act();
    }, ms);
    const unset = () => {
      clear();
      set.delete(unset);
    };
    set.add(unset);
    return unset;
  };
  const unsetAll = () => {
    for (const unset of set) unset();
  };
  return { later, count: () => set.size, unsetAll };
}
