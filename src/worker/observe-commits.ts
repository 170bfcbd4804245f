// Every commit of the server passes through here. Long polls wait for the next one without asking the database, and the
// diagnostics channel `orch:commit` announces each before and after it, for tracing and for tests that kill the server there.
import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import { type Announcement, changesActiveSops, readAnnouncement } from "../domain/change.ts";
import { isMessage } from "../domain/journal.ts";
import type { Commit, Store } from "../ports.ts";

/** Where one hears of commits. */
export type Commits = {
  /** Resolves when the thread (or, with null, any thread) reports to the supervisor. */
  readonly nextReport: Wait<string | null>;
  /** Resolves when anything is added to the journal of the thread. */
  readonly nextEvent: Wait<string>;
  /** Yields after each commit that changed which SOPs are active. Those that come while the reader is busy are one. */
  readonly activeSopsChanged: (signal: AbortSignal) => AsyncIterable<void>;
  /** Takes what a server announces; null when anything may have been announced. */
  readonly hear: (text: string | null) => void;
  /** From now on the listener hears of each commit, in the order of the subscriptions. */
  readonly subscribe: (listener: CommitListener) => void;
};

export type CommitObserver = Commits & {
  /** The store, with every commit announced. */
  readonly store: Store;
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

type CommitListener = {
  /** Called after each commit of this server. */
  readonly onCommitted?: (commit: Commit) => void;
  /** The same, and after a commit that may be in the database though it failed. */
  readonly onChanged?: (commit: Commit) => void;
  /** Called with what another server announces; null when anything may have been announced. */
  readonly onHeard?: (heard: Announcement | null) => void;
  /** Called when another server has committed a message; null when any may have. */
  readonly onReportElsewhere?: (thread_id: string | null) => void;
  /** Called when another server was asked to have this one drain. */
  readonly onDrain?: (() => void) | undefined;
  /** Called when the task of this thread is to end; null when that of any may be. */
  readonly onCancel?: (thread_id: string | null) => void;
  /** Whether nothing announces what is added to the journal of this thread. */
  readonly isElsewhere?: (thread_id: string) => boolean;
};

/** A follower of a thread elsewhere looks for itself this often; what is announced may be lost, so others look seldom too. */
const FOLLOW_MS = 500;
const BACKSTOP_MS = 5_000;

type Observing = {
  /** This server: what it announces is known already. */
  readonly owner?: string;
  /** Called where a listener has failed: the commit is durable all the same. */
  readonly onFault?: (error: unknown) => void;
};

export function observeCommits(store: Store, { owner, onFault = () => undefined }: Observing = {}): CommitObserver {
  const listeners: CommitListener[] = [];
  const tell = (act: (listener: CommitListener) => void): void => {
    for (const listener of listeners)
      try {
        act(listener);
      } catch (error) {
        onFault(error);
      }
  };
  const { next, announce, announceToAll } = createWaits();
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
    tell(({ onCommitted }) => onCommitted?.(given));
    return result;
  };
  const sopsChanged = (): void => {
    sop_changes += 1;
    announce(ACTIVE_SOPS);
  };
  const announceAll = (commit: Commit): void => {
    const { thread_id, events, changes } = commit;
    tell(({ onChanged }) => onChanged?.(commit));
    if (changes?.some(changesActiveSops) === true) sopsChanged();
    if (events.length > 0) announce(eventOf(thread_id));
    if (!events.some((event) => isMessage(event.kind))) return;
    announce(reportOf(thread_id));
    announce(ANY_REPORT);
  };
  /** What other servers announce is announced here too; their own are known already. */
  const hear: CommitObserver["hear"] = (text) => {
    if (text === null) {
      tell(({ onHeard }) => onHeard?.(null));
      sopsChanged();
      announceToAll();
      tell(({ onCancel }) => onCancel?.(null));
      tell(({ onReportElsewhere }) => onReportElsewhere?.(null));
      return;
    }
    const heard = readAnnouncement(text);
    if (heard === null || heard.from === owner) return;
    tell(({ onHeard }) => onHeard?.(heard));
    const { kinds, thread_id } = heard;
    if (kinds.includes("sops")) sopsChanged();
    if (kinds.includes("drain") && thread_id === owner) tell(({ onDrain }) => onDrain?.());
    if (kinds.includes("cancel")) tell(({ onCancel }) => onCancel?.(thread_id));
    if (!kinds.includes("report")) return;
    for (const key of [eventOf(thread_id), reportOf(thread_id), ANY_REPORT]) announce(key);
    tell(({ onReportElsewhere }) => onReportElsewhere?.(thread_id));
  };
  const isElsewhere = (thread_id: string): boolean => listeners.some((one) => one.isElsewhere?.(thread_id) === true);
  const backstop = (): number => (listeners.some((one) => one.isElsewhere !== undefined) ? BACKSTOP_MS : LONGEST_MS);
  return {
    store: { ...store, commit },
    hear,
    subscribe: (listener) => void listeners.push(listener),
    nextReport: (thread_id, ms, signal) => next(reportOf(thread_id), Math.min(ms, backstop()), signal),
    nextEvent: (thread_id, ms, signal) =>
      next(eventOf(thread_id), isElsewhere(thread_id) ? Math.min(ms, FOLLOW_MS) : ms, signal),
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

  return {
    next,
    announce: (key: string) => void announced.emit(key),
    announceToAll: () => {
      for (const key of announced.eventNames()) announced.emit(key);
    },
  };
}
