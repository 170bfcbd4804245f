// Every commit of the server passes through here. Long polls wait for the next one without asking the database, and the
// diagnostics channel `orch:commit` announces each before and after it, for tracing and for tests that kill the server there.
import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import type { Change } from "../domain/change.ts";
import { isMessage } from "../domain/journal.ts";
import type { Commit, Store } from "../ports.ts";

export type CommitObserver = {
  /** The store, with every commit announced. */
  readonly store: Store;
  /** Resolves when the thread (or, with null, any thread) reports to the supervisor. */
  readonly nextReport: Wait<string | null>;
  /** Resolves when anything is added to the journal of the thread. */
  readonly nextEvent: Wait<string>;
  /** Yields after each commit that changed which SOPs are active. Those that come while the reader is busy are one. */
  readonly activeSopsChanged: (signal: AbortSignal) => AsyncIterable<void>;
};

/** Resolves too when the time is over, or the signal aborts. */
type Wait<Thread> = (thread_id: Thread, ms: number, signal: AbortSignal) => Promise<void>;

/** Of one timer. */
const LONGEST_MS = 2 ** 31 - 1;

const traced = channel("orch:commit");

const ANY_REPORT = "report";
const ACTIVE_SOPS = "sops";
const reportOf = (thread_id: string | null): string => (thread_id === null ? ANY_REPORT : `report ${thread_id}`);
const eventOf = (thread_id: string): string => `event ${thread_id}`;

/** `onCommitted` is called after each commit. */
export function observeCommits(store: Store, onCommitted: (commit: Commit) => void = () => undefined): CommitObserver {
  const { next, announce } = createWaits();
  let sop_changes = 0;
  const commit: Store["commit"] = async (given) => {
    trace("before", given);
    // After an error the commit may be in the database all the same: who waits has to look.
    const result = await store.commit(given).catch((error: unknown) => {
      announceAll(given);
      throw error;
    });
    trace("after", given);
    if (!result.ok) return result;
    announceAll(given);
    onCommitted(given);
    return result;
  };
  const announceAll = ({ thread_id, events, changes }: Commit): void => {
    if (changes?.some(changesActiveSops) === true) {
      sop_changes += 1;
      announce(ACTIVE_SOPS);
    }
    if (events.length > 0) announce(eventOf(thread_id));
    if (!events.some((event) => isMessage(event.kind))) return;
    announce(reportOf(thread_id));
    announce(ANY_REPORT);
  };
  return {
    store: { ...store, commit },
    nextReport: (thread_id, ms, signal) => next(reportOf(thread_id), ms, signal),
    nextEvent: (thread_id, ms, signal) => next(eventOf(thread_id), ms, signal),
    activeSopsChanged: (signal) => {
      // Counted from the call on, not from the first read.
      let seen = sop_changes;
      return (async function* () {
        while (!signal.aborted) {
          if (seen === sop_changes) await next(ACTIVE_SOPS, LONGEST_MS, signal);
          if (seen === sop_changes) continue;
          seen = sop_changes;
          yield;
        }
      })();
    },
  };
}

function changesActiveSops(change: Change): boolean {
  if (change.on === "sop_created") return change.sop.status === "active";
  return change.on === "sop" && change.set.status !== undefined;
}

function trace(when: "before" | "after", { thread_id, events, changes = [] }: Commit): void {
  // Stryker disable next-line ConditionalExpression: without a subscriber this only saves making the message
  if (!traced.hasSubscribers) return;
  const kinds = events.length > 0 ? events.map(({ kind }) => kind) : changes.map(({ on }) => on);
  traced.publish({ when, thread_id, kinds, events });
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
