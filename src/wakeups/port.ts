// States what is asked of the wakeups of servers: liveness, and nothing that safety needs.

import { setTimeout as sleep } from "node:timers/promises";
import type { WakeupDepth } from "../domain/server.ts";
import type { Timer } from "../ports.ts";

/** `again`: somebody is to look once more, in a second or later, here or on another server. */
export type Looked = "done" | "again";

type Write = (details: object, message: string) => void;
export type WakeupLog = { readonly debug: Write; readonly info: Write; readonly warn: Write; readonly error: Write };

/** While it is paused, other servers get what is new. One more may arrive here. */
export type WakeupWork = { readonly pause: () => void; readonly resume: () => void };
type Duty = { readonly wake: () => Promise<void> };

/** Only a server with all `labels` hears of it. */
type WakeupOptions = { readonly labels?: readonly string[] };

/**
 * Only says "look whether this thread may be claimed": what comes of it is decided by what the store says then. A wakeup may come twice, late
 * or never, so a seldom look at everything makes up for a lost one (D-317). Nothing rejects.
 */
export interface Wakeups {
  /** Resolves once it is written, or cannot be. One of an id waits at most. */
  send(id: string, options?: WakeupOptions): Promise<void>;
  /** Once; one server hears of each. `handle` begins work and has 30 s: it does not wait for the end. A throw is `again`. */
  work(handle: (id: string) => Promise<Looked>): WakeupWork;
  /**
   * `act` at start, about every `every_ms` (whole seconds), and when woken: by one server at a time, and by another when that one
   * ends. The signal aborts when this server stops or has lost the duty. For a moment two servers may believe that they have it.
   */
  every(name: string, every_ms: number, act: (signal: AbortSignal) => Promise<void>): Duty;
  /** Resolves within seconds, also where the queue cannot be used yet: it is tried again. */
  start(): Promise<void>;
  /** Bounded. Nothing is called after it. */
  stop(): Promise<void>;
  /** Of all servers, a few seconds old. Null where it is not known. */
  depth(): Promise<WakeupDepth | null>;
}

// Bounds what a wakeup begins, and says how often it is tried: the same within one server and for several.

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
