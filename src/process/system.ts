// Gives a server what it takes from its system: the time, a timer and new ids. Repeats an answer that costs something for a while.
import { randomUUID } from "node:crypto";
import type { Log } from "../log/log.ts";
import type { Clock, NewId, Timer } from "../ports.ts";

/** What nearly every part of a server takes. */
export type Means = {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly new_id: NewId;
  readonly log: Log;
};

export const clock: Clock = () => new Date();

export const timer: Timer = (act, ms) => {
  const timeout = setTimeout(act, ms).unref();
  return () => clearTimeout(timeout);
};

export const newId: NewId = () => randomUUID();

/** Within `ms` of its begin the last result is given again, also when it was a rejection. */
export function rarely<T>(ask: () => Promise<T>, ms: number, now = () => performance.now()): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | null = null;
  return () => {
    if (last === null || now() - last.at >= ms) last = { at: now(), result: ask() };
    return last.result;
  };
}
