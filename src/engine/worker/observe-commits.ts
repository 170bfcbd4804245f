// Passes every commit of the server on to those who listen: long polls and pages. The diagnostics
// channel `orch:commit` announces each before and after it, for tracing and for tests that kill the server there.
import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import {
  type Announcement,
  changesActiveSops,
  type Feed,
  type FeedChange,
  type FeedEvent,
  feedChanges,
  heardChanges,
  readAnnouncement,
} from "../../domain/change.ts";
import { isMessage } from "../../domain/journal.ts";
import type { Quarantine } from "../../domain/quarantine.ts";
import { createMetrics, createRecentAnswers, type Metrics, type RecentAnswers } from "../../metrics/metrics.ts";
import type { Commit, Servers, Store, Timer } from "../../ports.ts";
import type { Means } from "../../process/system.ts";
import { scoresBehind } from "./score-keeper.ts";

/** Where one hears of commits. */
type Commits = {
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

// Says what changes to those who show it, while somebody does: what this server commits at once, what others commit when they announce it,
// and the rest with a look every few seconds (D-339). Without a listener a commit costs one comparison.

type Listener = Parameters<Feed["listen"]>[0];

/** What is said to it of commits, here and elsewhere. */
type Hearing = {
  readonly committed: (commit: Commit) => void;
  /** Null when anything may have been announced. */
  readonly heard: (heard: Announcement | null) => void;
};

type Deps = {
  readonly store: Pick<Store, "readMessages" | "lastMessage" | "listTaskColumns" | "listServers">;
  /** Whether other servers share the database. */
  readonly are_many: boolean;
  readonly timer: Timer;
  readonly log: { error(details: object, message: string): void };
};

const PAGE = 100;
const LOOK_MS = 5_000;
const AGAIN_MS = 1_000;
/** Of tasks that have not ended. */
const MOST_SEEN = 500;

type ServerFeed = Feed & Hearing;

export function createFeed(deps: Deps): ServerFeed {
  const { store, are_many, timer, log } = deps;
  const listeners = new Set<Listener>();
  const elsewhere = createLook(deps);
  let unset = (): void => undefined;

  let version = 0;

  const emit = (event: FeedEvent): void => {
    version += 1;
    for (const listener of listeners) listener(event);
  };
  const failed = (err: unknown): void => {
    log.error({ err }, "what has changed could not be read; trying again");
    again(AGAIN_MS);
  };
  const messages = createMessages(store, emit, failed);

  const again = (ms: number): void => {
    unset();
    if (listeners.size > 0) unset = timer(() => void look(), ms);
  };
  const look = async (): Promise<void> => {
    messages.read();
    if (!are_many) return;
    again(LOOK_MS);
    await elsewhere().then((changes) => changes.forEach(emit), failed);
  };

  return {
    version: () => version,
    committed: ({ events, changes = [] }: Commit): void => {
      version += 1;
      if (listeners.size === 0) return;
      for (const change of feedChanges(changes)) emit(change);
      if (events.some(({ kind }) => isMessage(kind))) messages.read();
    },
    heard: (heard: Announcement | null): void => {
      version += 1;
      if (listeners.size === 0) return;
      if (heard === null) emit({ event: "reset" });
      for (const change of heard === null ? [] : heardChanges(heard)) emit(change);
      messages.read();
    },
    listen: async (listener: Listener): Promise<number> => {
      listeners.add(listener);
      if (are_many && listeners.size === 1) void look();
      return messages.begin(() => listeners.has(listener));
    },
    leave: (listener: Listener): void => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      messages.end();
      unset();
    },
  };
}

/** Passes on each message once, in order: one reading at a time, and one more after it where something came meanwhile. */
function createMessages(store: Deps["store"], emit: (event: FeedEvent) => void, failed: (error: unknown) => void) {
  /** Of the last message that was passed on; null without a listener. */
  let position: number | null = null;
  let is_reading = false;
  let more = false;

  const readOn = async (): Promise<void> => {
    for (let found = PAGE; position !== null && (more || found === PAGE); ) {
      more = false;
      const messages = await store.readMessages(position, PAGE);
      for (const message of messages) {
        if (position === null || message.cursor <= position) continue;
        position = message.cursor;
        emit({ event: "report", message });
      }
      found = messages.length;
    }
  };
  const read = (): void => {
    more = true;
    if (is_reading) return;
    is_reading = true;
    readOn()
      .catch(failed)
      .finally(() => {
        is_reading = false;
      });
  };
  return {
    read,
    /** Who has left meanwhile leaves no position. */
    begin: async (is_there: () => boolean): Promise<number> => {
      const last = position ?? (await store.lastMessage());
      if (is_there()) position ??= last;
      return position ?? last;
    },
    end: (): void => {
      position = null;
    },
  };
}

/** What is not announced: tasks that begin, wait or end their wait on other servers, and servers that come and go. */
function createLook({ store }: Pick<Deps, "store">): () => Promise<FeedChange[]> {
  let known: ReadonlyMap<string, string> | null = null;
  let servers: string | null = null;
  return async () => {
    const [tasks, live] = await Promise.all([
      store.listTaskColumns({ status: ["accepted", "running", "need_input", "need_approval"], limit: MOST_SEEN }),
      store.listServers(),
    ]);
    const now = new Map<string, string>(tasks.map(({ task_id, status }) => [task_id, status]));
    const seen = JSON.stringify(live);
    const before = known ?? now;
    const changed = [...new Set([...now.keys(), ...before.keys()])].filter((id) => now.get(id) !== before.get(id));
    const changes: FeedChange[] = changed.map((task_id) => ({
      event: "task",
      data: { task_id, status: now.get(task_id) ?? null },
    }));
    if (servers !== null && servers !== seen) changes.push({ event: "server", data: {} });
    known = now;
    servers = seen;
    return changes;
  };
}

// Makes the store as a server has it: each commit is timed and counted, and those who wait for a change hear of it.

export type ObservedStore = {
  readonly store: Store;
  /** The same store, of whose commits only those hear that are called by hand. */
  readonly unobserved: Store;
  /** The records that cannot be read, as far as they were met. */
  readonly quarantine: Quarantine;
  readonly commits: Commits;
  readonly metrics: Metrics;
  readonly feed: ServerFeed;
  /** The last questions to the routing model. */
  readonly answers: Pick<RecentAnswers, "notice">;
};

/** More may subscribe: they hear of a commit after the feed, the metrics and the answers. */
export function observeStore(
  { store: unobserved, quarantine }: Pick<ObservedStore, "store" | "quarantine">,
  { owner, are_many }: Pick<Servers, "owner" | "are_many">,
  { clock, timer, log }: Means,
): ObservedStore {
  const metrics = createMetrics({ store: unobserved, clock, behind: () => scoresBehind(unobserved) });
  const feed = createFeed({ store: unobserved, are_many, timer, log });
  const answers = createRecentAnswers();
  const { store, ...commits } = observeCommits(metrics.timed(unobserved), {
    owner,
    onFault: (err) => log.error({ err }, "a commit is durable, and one that hears of commits has failed"),
  });
  commits.subscribe({ onChanged: feed.committed, onHeard: feed.heard });
  commits.subscribe({ onCommitted: metrics.committed });
  commits.subscribe({ onCommitted: ({ events }) => answers.note(events) });
  return { store, unobserved, quarantine, commits, metrics, feed, answers };
}
