// Keeps the journal of a thread for its owner: known events in memory, one commit per step, and a fence. A decision or a
// request to cancel moves the tail: the owner reads on and appends after it. After another owner's claim, or an end on
// record, the owner stops before its next effect.
import type { Change } from "../domain/change.ts";
import { OrchError } from "../domain/errors.ts";
import { endsTask, type JournalEvent, type NewEvent, timeAfter } from "../domain/journal.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import type { Clock, Store } from "../ports.ts";
import { evolve, initial, type ProjectionState } from "../tasks/projection.ts";
import type { ThreadJournal } from "../tasks/thread.ts";

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
export type Fence = "claimed" | "ended";

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
