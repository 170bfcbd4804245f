// Every commit of the server passes through here. Long polls wait for the next one without asking the database, and the
// diagnostics channel `orch:commit` announces each before and after it, for tracing and for tests that kill the server there.
import { channel } from "node:diagnostics_channel";
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
  if (traced.hasSubscribers) traced.publish({ when, thread_id, kinds: events.map(({ kind }) => kind) });
}

function createWaits() {
  const waiting = new Map<string, Set<() => void>>();

  const announce = (key: string): void => {
    const wakers = waiting.get(key);
    waiting.delete(key);
    for (const wake of wakers ?? []) wake();
  };

  const next: Wait<string> = (key, ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted || ms <= 0) return resolve();
      const wakers = waiting.get(key) ?? new Set();
      waiting.set(key, wakers);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        wakers.delete(done);
        if (wakers.size === 0 && waiting.get(key) === wakers) waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
      wakers.add(done);
    });

  return { next, announce };
}
