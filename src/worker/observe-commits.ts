// Every commit of the server passes through here. Long polls wait for the next one without asking the database, and the
// diagnostics channel `orch:commit` announces each before and after it, for tracing and for tests that kill the server there.
import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import { isMessage } from "../domain/journal.ts";
import type { Commit, Store } from "../ports.ts";

export type CommitObserver = {
  /** The store, with every commit announced. */
  readonly store: Store;
  /** Resolves when the thread (or, with null, any thread) reports to the supervisor. */
  readonly nextReport: Wait<string | null>;
  /** Resolves when anything is added to the journal of the thread. */
  readonly nextEvent: Wait<string>;
};

/** Resolves too when the time is over, or the signal aborts. */
type Wait<Thread> = (thread_id: Thread, ms: number, signal: AbortSignal) => Promise<void>;

const traced = channel("orch:commit");

const ANY_REPORT = "report";
const reportOf = (thread_id: string | null): string => (thread_id === null ? ANY_REPORT : `report ${thread_id}`);
const eventOf = (thread_id: string): string => `event ${thread_id}`;

export function observeCommits(store: Store): CommitObserver {
  const { next, announce } = createWaits();
  const commit: Store["commit"] = async (given) => {
    trace("before", given);
    const result = await store.commit(given);
    trace("after", given);
    if (!result.ok) return result;
    if (given.events.length > 0) announce(eventOf(given.thread_id));
    if (given.events.some((event) => isMessage(event.kind))) {
      announce(reportOf(given.thread_id));
      announce(ANY_REPORT);
    }
    return result;
  };
  return {
    store: { ...store, commit },
    nextReport: (thread_id, ms, signal) => next(reportOf(thread_id), ms, signal),
    nextEvent: (thread_id, ms, signal) => next(eventOf(thread_id), ms, signal),
  };
}

function trace(when: "before" | "after", { thread_id, events }: Commit): void {
  // Stryker disable next-line ConditionalExpression: without a subscriber this only saves making the message
  if (traced.hasSubscribers) traced.publish({ when, thread_id, kinds: events.map(({ kind }) => kind) });
}

function createWaits() {
  const announced = new EventEmitter().setMaxListeners(0);

  const next: Wait<string> = (key, ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted || ms <= 0) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        // Stryker disable next-line CallExpression: a wait that has ended is woken without effect; this frees its memory
        announced.off(key, done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
      announced.on(key, done);
    });

  return { next, announce: (key: string) => void announced.emit(key) };
}
