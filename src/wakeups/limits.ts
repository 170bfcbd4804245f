// What both kinds of wakeups share: how often something is tried, and how long is waited.
import { setTimeout as sleep } from "node:timers/promises";

type Write = (details: object, message: string) => void;
export type WakeupLog = { readonly debug: Write; readonly info: Write; readonly warn: Write; readonly error: Write };

export const MOST_TRIES = 20;
export const FIRST_PAUSE_S = 1;
export const LONGEST_PAUSE_S = 60;
/** A handle that takes longer keeps those after it waiting. */
export const HANDLE_MS = 30_000;
export const STOP_MS = 4_000;

/** Before the next try, twice as long after each. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_S * 2 ** Math.min(tries, MOST_TRIES), LONGEST_PAUSE_S) * 1_000;

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
