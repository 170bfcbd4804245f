// Lets a long-poll wait for what happens next without asking the database: every commit passes through here.
import { isMessage } from "../domain/journal.ts";
import type { Store } from "../ports.ts";

export type Watch = {
  /** The store, with every commit announced. */
  readonly store: Store;
  /** Resolves when the thread (or, with null, any thread) reports to the supervisor. */
  readonly nextReport: Wait<string | null>;
  /** Resolves when anything is added to the journal of the thread. */
  readonly nextEvent: Wait<string>;
};

/** Resolves too when the time is over, or the signal aborts. */
type Wait<Thread> = (thread_id: Thread, ms: number, signal: AbortSignal) => Promise<void>;

const ANY_REPORT = "report";
const reportOf = (thread_id: string | null): string => (thread_id === null ? ANY_REPORT : `report ${thread_id}`);
const eventOf = (thread_id: string): string => `event ${thread_id}`;

export function watchCommits(store: Store): Watch {
  const waiting = new Map<string, Set<() => void>>();

  const announce = (key: string) => {
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

  return {
    store: {
      ...store,
      commit: async (commit) => {
        const result = await store.commit(commit);
        if (!result.ok) return result;
        if (commit.events.length > 0) announce(eventOf(commit.thread_id));
        if (commit.events.some((event) => isMessage(event.kind))) {
          announce(reportOf(commit.thread_id));
          announce(ANY_REPORT);
        }
        return result;
      },
    },
    nextReport: (thread_id, ms, signal) => next(reportOf(thread_id), ms, signal),
    nextEvent: (thread_id, ms, signal) => next(eventOf(thread_id), ms, signal),
  };
}
