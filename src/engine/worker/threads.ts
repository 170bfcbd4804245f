// Keeps the threads that this server works on with the journal of each: cancels, drains and abandons them, and reports what
// this server learns late of a step (D-330).
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../../domain/change.ts";
import { OrchError } from "../../domain/errors.ts";
import { endsTask, type JournalEvent, type NewEvent, timeAfter } from "../../domain/journal.ts";
import { hasEnded } from "../../domain/outcome.ts";
import { type LateResult, lateResult } from "../../domain/reconcile.ts";
import type { StepResult } from "../../domain/step.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";
import { ABANDONED, type Clock, type Commit, type Servers, type Store } from "../../ports.ts";
import { takesLateResult } from "../tasks/progress.ts";
import { evolve, initial, type ProjectionState, projection } from "../tasks/projection.ts";
import type { Thread, ThreadJournal, ThreadOf, ThreadTrace, Traces } from "../tasks/thread.ts";
import { unlessHeld } from "./hold-back.ts";

export type Threads = {
  /** The open thread, or the thread opened from its journal. */
  readonly threadOf: ThreadOf;
  /** Opens with events that are known already: they are not read again. */
  readonly open: (thread_id: string, events: readonly JournalEvent[]) => Thread;
  readonly close: (thread_id: string) => void;
  readonly isOpen: (thread_id: string) => boolean;
  readonly isElsewhere: (thread_id: string) => boolean;
  /** Whether an open thread has reached its end: it needs no checkpoint then (D-048). */
  readonly hasEnded: (thread_id: string) => boolean;
  /** Whether it was opened when its task was accepted: until it is closed it has no checkpoint. */
  readonly isNew: (thread_id: string) => boolean;
  /** Makes the claim of a new thread durable, where it is not yet. Rejects when another server works on the thread. */
  readonly ensureClaimed: (thread_id: string) => Promise<void>;
  readonly cancel: (thread_id: string) => void;
  /** Cancels what another server was asked to cancel, when the announcement of that may be lost. */
  readonly findCancelled: () => Promise<void>;
  readonly drain: () => void;
  /** Kills the running steps and records nothing of them: their outcome is unknown. Their tasks may be taken up again. */
  readonly cutOff: () => void;
  /** The same, and no thread writes from now on. */
  readonly abandon: () => void;
};

type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: string;
  readonly task_holds: Parameters<typeof unlessHeld>[0];
  /** Remembers how steps have ended whose end this server could not write. Without it, nothing is. */
  readonly late?: Pick<LateResults, "around">;
  /** Without it, nothing is traced. */
  readonly traces?: Pick<Traces, "open">;
};

type Live = Thread & {
  readonly controller: AbortController;
  readonly cut: () => void;
  readonly trace: ThreadTrace | undefined;
};

export function createThreads(deps: Deps): Threads {
  const live = new Map<string, Live>();
  /** With how many events were known. */
  const fresh = new Map<string, number>();
  const flush = createFlush();
  const leaving = new AbortController();
  let abandoned = false;

  const open = (thread_id: string, events: readonly JournalEvent[]): Thread => {
    const controller = new AbortController();
    const trace = deps.traces?.open(thread_id, events);
    let isCut = false;
    const commit = (deps.late?.around ?? asItIs)(async (given) => {
      if (abandoned || isCut) throw new OrchError("fenced", "the work on this thread was cut off");
      const result = await unlessHeld(deps.task_holds, deps.store.commit)(journal.projection, given);
      if (result.ok) trace?.committed(result.events);
      return result;
    });
    const store: Store = { ...deps.store, commit };
    const journal = createThreadJournal({ ...deps, store, onCancel: () => controller.abort() }, thread_id, events);
    if (journal.projection.cancel_requested !== null) controller.abort();
    const thread: Live = {
      journal,
      controller,
      trace,
      ...(trace !== undefined && { traceparentOf: trace.traceparentOf }),
      cut: () => {
        isCut = true;
        controller.abort(ABANDONED);
      },
      cancel: controller.signal,
      leaving: leaving.signal,
      draining: () => leaving.signal.aborted,
    };
    live.set(thread_id, thread);
    return thread;
  };

  const cutOff = () => {
    for (const thread of live.values()) thread.cut();
  };

  return {
    open: (thread_id, events) => {
      fresh.set(thread_id, events.length);
      return open(thread_id, events);
    },
    threadOf: async (thread_id) => live.get(thread_id) ?? open(thread_id, await deps.store.readJournal(thread_id)),
    close: (thread_id) => {
      live.get(thread_id)?.trace?.end();
      live.delete(thread_id);
      fresh.delete(thread_id);
    },
    isOpen: (thread_id) => live.has(thread_id),
    isElsewhere: (thread_id) => !live.has(thread_id),
    hasEnded: (thread_id) => {
      const reported = live.get(thread_id)?.journal.projection.reported ?? null;
      return reported !== null && hasEnded(reported.status);
    },
    isNew: (thread_id) => fresh.has(thread_id),
    ensureClaimed: async (thread_id) => {
      const thread = live.get(thread_id);
      // The claim is noted after what was known, and has its hash when it is durable.
      if (thread?.journal.events[fresh.get(thread_id) ?? -1]?.hash === "") await flush(thread);
    },
    cancel: (thread_id) => live.get(thread_id)?.controller.abort(),
    findCancelled: async () => {
      for (const [thread_id, { controller }] of [...live])
        if (projection(await deps.store.readJournal(thread_id)).cancel_requested !== null) controller.abort();
    },
    drain: () => leaving.abort(ABANDONED),
    cutOff,
    abandon: () => {
      abandoned = true;
      cutOff();
    },
  };
}

const asItIs = (commit: Store["commit"]): Store["commit"] => commit;

/** Another caller meanwhile waits for the same: what is noted is written once. */
function createFlush(): (thread: Thread) => Promise<void> {
  const flushing = new Map<Thread, Promise<void>>();
  return async (thread) => {
    const flushed = flushing.get(thread) ?? thread.journal.flush().finally(() => flushing.delete(thread));
    flushing.set(thread, flushed);
    await flushed;
  };
}

// The threads of a server that may lose its tasks to another one.

type Serving = Pick<Deps, "store" | "clock" | "task_holds" | "traces"> & {
  readonly servers: Pick<Servers, "owner">;
  /** Of this server. */
  readonly name: string;
  readonly log: { error(details: object, message: string): void };
};

export type ServerThreads = Threads & {
  /** Reports what is known of the ends of steps. Only for a server that has lost its tasks. */
  readonly reportLate: LateResults["report"];
};

export function createServerThreads({ servers, name, log, ...deps }: Serving): ServerThreads {
  const { owner } = servers;
  const late = createLateResults({ store: deps.store, owner, name, log });
  return { ...createThreads({ ...deps, owner, late }), reportLate: late.report };
}

// What this server knows of steps that have ended here and whose end is not durable. When it has lost its tasks, it reports that to their
// journals (D-330): their new owner asks the supervisor, who has no other way to learn of it.

type LateResultsDeps = {
  readonly store: Pick<Store, "readJournal" | "appendLateResult">;
  /** This server, as the owner of tasks and by its name. */
  readonly owner: string;
  readonly name: string;
  readonly log: { error(details: object, message: string): void };
};

type LateResults = {
  /** Commits through `commit`, and remembers how steps have ended that are not in the journal then. */
  readonly around: (commit: Store["commit"]) => Store["commit"];
  /** Reports what is left. Only for a server that has lost its tasks. Never rejects, and takes a bounded time. */
  readonly report: () => Promise<void>;
};

/** Those of more steps than run at once: the oldest are of commits that failed and were recovered from. */
const MOST = 100;
const TRIES = 20;
/** The server ends after it. */
const PATIENCE_MS = 5_000;

export function createLateResults(deps: LateResultsDeps): LateResults {
  const { owner, name: server, log } = deps;
  const ended = new Map<string, { readonly thread_id: string; readonly result: StepResult }>();

  const keep = ({ thread_id, events }: Commit): readonly string[] =>
    events.flatMap(({ kind, body }) => {
      if (kind !== "step_finished") return [];
      const key = `${thread_id} ${body.index} ${body.attempt}`;
      ended.set(key, { thread_id, result: body });
      const [oldest] = ended.keys();
      if (ended.size > MOST && oldest !== undefined) ended.delete(oldest);
      return [key];
    });

  const reportAll = async (): Promise<void> => {
    for (const { thread_id, result } of ended.values())
      await report(deps, thread_id, lateResult({ owner, server }, result)).catch((err: unknown) =>
        log.error({ task_id: thread_id, err }, "what became of a step of a lost task could not be reported"),
      );
  };

  return {
    around: (commit) => async (given) => {
      const kept = keep(given);
      const result = await commit(given);
      if (result.ok) for (const key of kept) ended.delete(key);
      return result;
    },
    report: () => Promise.race([reportAll(), sleep(PATIENCE_MS, undefined, { ref: false })]),
  };
}

/** Each try is after the event that the journal ended with when it was judged. */
async function report({ store }: LateResultsDeps, thread_id: string, late: LateResult): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const journal = await store.readJournal(thread_id);
    const last = journal.at(-1);
    if (last === undefined || !takesLateResult(projection(journal), late)) return;
    if ((await store.appendLateResult(thread_id, last, late)).ok) return;
  }
}

// Keeps the journal of a thread for its owner: known events in memory, one commit per step, and a fence. A decision or a
// request to cancel moves the tail: the owner reads on and appends after it. After another owner's claim, or an end on
// record, the owner stops before its next effect.

type Note = { readonly event: NewEvent; readonly changes: readonly Change[] };

type ThreadJournalDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: string;
  /** Called when a request to cancel is found that another writer has added: its announcement may be lost. */
  readonly onCancel?: () => void;
};

const FENCED: Record<Fence, string> = { claimed: "has been claimed by another server", ended: "has ended" };

/** A noted event gets its place in the chain with the next commit; until then it is only shown. */
const placedAt = (event: NewEvent, place: Pick<JournalEvent, "thread_id" | "seq" | "at">): JournalEvent =>
  ({ ...event, ...place, prev_hash: "", hash: "" }) as JournalEvent;

export function createThreadJournal(
  { store, clock, owner, onCancel }: ThreadJournalDeps,
  thread_id: string,
  known: readonly JournalEvent[],
): ThreadJournal {
  /** The committed events, then the noted ones. */
  const events = [...known];
  let committed = known.length;
  let noted: Note[] = [];
  const met = { lost_tail: false, target_held: false };
  let state: ProjectionState = events.reduce(evolve, initial());

  const at = () => timeAfter(events.at(-1), clock().toISOString());
  const provisional = (event: NewEvent) => placedAt(event, { thread_id, seq: events.length + 1, at: at() });

  /** Appends what was written to the committed events. The state takes it in event by event, unless notes lie between. */
  const append = (written: readonly JournalEvent[], notes: Note[], taken_in: number) => {
    events.length = committed;
    for (const event of written) events.push(event);
    committed = events.length;
    noted = notes;
    for (const { event } of notes) events.push(provisional(event));
    state = notes.length === 0 ? written.slice(taken_in).reduce(evolve, state) : events.reduce(evolve, initial());
  };

  const forgetNotes = () => {
    append([], [], 0);
    state = events.reduce(evolve, initial());
  };

  const readOn = async () => {
    const added = (await store.readJournal(thread_id)).slice(committed);
    const fence = fenceIn(added, owner);
    if (fence === "ended") forgetNotes();
    const was_asked = state.cancel_requested !== null;
    if (fence !== "claimed") append(added, noted, 0);
    if (!was_asked && state.cancel_requested !== null) onCancel?.();
    if (fence !== null) throw new OrchError("fenced", `thread ${thread_id} ${FENCED[fence]}`);
  };

  const write: Write = async ({ events: added, changes, is_start = false }) => {
    const [carried, all] = [noted.length, withNotes(noted, { events: added, changes })];
    if (all.events.length === 0 && all.changes.length === 0) return null;
    for (;;) {
      if (is_start && state.cancel_requested !== null) return CANCELLED;
      const result = await store.commit({ thread_id, after: events[committed - 1] ?? null, ...all });
      if (result.ok) {
        append(result.events, noted.slice(carried), carried);
        return null;
      }
      const { conflict } = result;
      Object.assign(met, metIn(conflict));
      if (conflict === "lost_tail") throw lostTail(thread_id);
      if (typeof conflict !== "string") return conflict;
      await readOn();
    }
  };

  return {
    events,
    get projection() {
      return state;
    },
    met,
    note: (event, changes = []) => {
      const shown = provisional(event);
      events.push(shown);
      noted.push({ event, changes });
      state = evolve(state, shown);
    },
    ...commitsOf(thread_id, write),
  };
}

const metIn = (conflict: string | Change): ThreadJournal["met"] => ({
  lost_tail: conflict === "lost_tail",
  target_held: typeof conflict !== "string" && conflict.on === "target_held",
});

const CANCELLED = "cancelled";

type Write = (given: Written & { readonly is_start?: boolean }) => Promise<Change | typeof CANCELLED | null>;

function commitsOf(thread_id: string, write: Write): Pick<ThreadJournal, "tryCommit" | "commit" | "begin" | "flush"> {
  const tryCommit = async (events: readonly NewEvent[], changes: readonly Change[]): Promise<Change | null> => {
    const refused = await write({ events, changes });
    return refused === CANCELLED ? null : refused;
  };
  const commit = async (events: readonly NewEvent[], changes: readonly Change[] = []): Promise<void> =>
    held(thread_id, await tryCommit(events, changes));
  return {
    tryCommit,
    commit,
    flush: () => commit([]),
    begin: async (event) => {
      const refused = await write({ events: [event], changes: [], is_start: true });
      if (refused === CANCELLED) return false;
      held(thread_id, refused);
      return true;
    },
  };
}

type Written = { readonly events: readonly NewEvent[]; readonly changes: readonly Change[] };

const withNotes = (noted: readonly Note[], { events, changes }: Written): Written => ({
  events: [...noted.map(({ event }) => event), ...events],
  changes: [...noted.flatMap((note) => note.changes), ...changes],
});

const lostTail = (thread_id: string): OrchError =>
  new OrchError("internal_error", `the database has lost events of thread ${thread_id}`);

function held(thread_id: string, conflict: Change | null): void {
  if (conflict === null) return;
  // The claim of a task that was accepted here is written with what follows it.
  if (conflict.on === "target_held") throw new OrchError("fenced", `another task has the target of ${thread_id}`);
  throw new OrchError("internal_error", `a change of ${conflict.on} did not hold on thread ${thread_id}`);
}

/** `claimed`: another server works on the thread. `ended`: nothing is left to do. */
type Fence = "claimed" | "ended";

export function fenceIn(added: readonly JournalEvent[], owner: string): Fence | null {
  if (added.some(endsTask)) return "ended";
  return added.some((event) => isClaim(event, owner)) ? "claimed" : null;
}

/** A promotion has no claim: of two servers that work on it, the one goes on that has written first. */
const isClaim = ({ thread_id, kind, body }: JournalEvent, owner: string): boolean =>
  subjectOfThread(thread_id).kind === "promotion"
    ? !BESIDE_A_PROMOTION.has(kind)
    : kind === "taken_up" && body.owner !== owner;

const BESIDE_A_PROMOTION: ReadonlySet<JournalEvent["kind"]> = new Set([
  "approval_decided",
  "sop_failing",
  "sop_set_back",
]);

/** Whether this server has lost the thread: it stops, another server has claimed the thread, or the thread has ended. */
export const isFenced = (error: unknown): boolean => error instanceof OrchError && error.code === "fenced";
