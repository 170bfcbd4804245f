// What is asked of the wakeups of servers: liveness, and nothing that safety needs.
import type { Looked, WakeupDepth, WakeupKind, WakeupOptions } from "../domain/wakeup.ts";

/** While it is paused, other servers get what is new. One more may arrive here. */
export type WakeupWork = { readonly pause: () => void; readonly resume: () => void };
/** Not within a transaction: those that wake the same duty would wait for each other. */
type Duty = { readonly wake: () => Promise<void> };

/**
 * Only says "look at this": what comes of it is decided by what the store says then. A wakeup may come twice, late or never, so a
 * seldom look at everything makes up for a lost one (D-317). Nothing rejects.
 */
export interface Wakeups {
  /** Resolves once it is written, or cannot be. One of a kind and id waits at most, beside those that are due later. */
  send(kind: WakeupKind, id: string, options?: WakeupOptions): Promise<void>;
  /** Once for each kind; one server hears of each. `handle` begins work and has 30 s: it does not wait for the end. A throw is `again`. */
  work(kind: WakeupKind, handle: (id: string) => Promise<Looked>): WakeupWork;
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
