// States what is asked of the wakeups of servers: liveness, and nothing that safety needs.
import type { WakeupDepth } from "../domain/server.ts";

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
