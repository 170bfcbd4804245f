// Lets a long-poll wait for a report to the supervisor without asking the database: every commit passes through here.
import { isMessage } from "../domain/journal.ts";
import type { Store } from "../ports.ts";

export type Watch = {
  /** The store, with every report announced. */
  readonly store: Store;
  /** Resolves when the thread (or, with null, any thread) reports, the time is over, or the signal aborts. */
  readonly nextReport: (thread_id: string | null, ms: number, signal: AbortSignal) => Promise<void>;
};

export function watchReports(store: Store): Watch {
  const waiting = new Map<string | null, Set<() => void>>();

  const announce = (key: string | null) => {
    const wakers = waiting.get(key);
    waiting.delete(key);
    for (const wake of wakers ?? []) wake();
  };

  return {
    store: {
      ...store,
      commit: async (commit) => {
        const result = await store.commit(commit);
        if (result.ok && commit.events.some((event) => isMessage(event.kind))) {
          announce(commit.thread_id);
          announce(null);
        }
        return result;
      },
    },
    nextReport: (thread_id, ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || ms <= 0) return resolve();
        const wakers = waiting.get(thread_id) ?? new Set();
        waiting.set(thread_id, wakers);
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          wakers.delete(done);
          if (wakers.size === 0 && waiting.get(thread_id) === wakers) waiting.delete(thread_id);
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done);
        wakers.add(done);
      }),
  };
}
