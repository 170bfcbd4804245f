// Defines what a commit may change beside the events of a journal, and what pages and other servers then read again (D-339).
import { type FeatureChange, feedOfFeature, feedOfThread } from "../features/records.ts";
import type { Approval } from "./approval.ts";
import { isMessage, type JournalEvent, type NewEvent } from "./journal.ts";
import type { TaskStatus } from "./outcome.ts";
import type { CheckLook } from "./proof.ts";
import type { ScoreChange } from "./scorecard/kept-scores.ts";
import type { Sop, SopMoves } from "./sop.ts";
import type { ArchivedTask, Task, TaskMoves } from "./task.ts";
import { subjectOfThread } from "./thread-id.ts";

/** A change of a row, in one transaction with journal events. The commit fails when `expect` does not hold. */
export type Change =
  | { readonly on: "task_created"; readonly task: Task }
  | {
      readonly on: "task";
      readonly task_id: string;
      /** `any` where the row is damaged, and the journal says that the task has not ended. */
      readonly expect: {
        readonly status: readonly TaskStatus[] | "any";
        readonly interrupt_id?: string;
        /** One of these owns it. */
        readonly owner?: readonly (string | null)[];
        /** A server of this level can read its journal. */
        readonly readable_at?: number;
      };
      readonly set: TaskMoves;
    }
  /** From now on the journal has an event of this level; on a thread of no task it changes nothing. The store makes it (D-329). */
  | { readonly on: "task_level"; readonly task_id: string; readonly level: number }
  /** The task has the target alone from now on; it may have it already. Fails where another one has it. */
  | { readonly on: "target_held"; readonly target_signature: string; readonly task_id: string }
  /** It has no target any more; it may have had none. */
  | { readonly on: "target_freed"; readonly task_id: string }
  | { readonly on: "sop_created"; readonly sop: Sop }
  | {
      readonly on: "sop";
      readonly sop_id: string;
      readonly expect: Pick<Sop, "status"> & Partial<Pick<Sop, "trial_left" | "promotion_round">>;
      readonly set: SopMoves;
    }
  /** `proved`: the run has proved the version. */
  | { readonly on: "sop_counted"; readonly sop_id: string; readonly passed: boolean; readonly proved: boolean }
  | { readonly on: "approval_created"; readonly approval: Approval }
  | { readonly on: "approval"; readonly approval_id: string; readonly set: Partial<Approval> }
  /** Replaces the earlier one of the same digest. */
  | { readonly on: "check_look"; readonly look: CheckLook }
  /** Its journal is in a file now, but for the event that is named. Fails where that is not the last one. */
  | { readonly on: "task_archived"; readonly archived: ArchivedTask }
  /** The receiver has every message up to this one. */
  | { readonly on: "delivered"; readonly receiver: string; readonly cursor: number }
  | ScoreChange
  | FeatureChange;

/**
 * Moves the times of the change up to those of its events. Events are never earlier than the one before them, so a clock that was set
 * back is earlier than the journal.
 */
export function timedAs(change: Change, events: readonly Pick<JournalEvent, "at">[], now: string): Change {
  const at = events.at(-1)?.at ?? now;
  return at > now ? notBefore(change, at) : change;
}

function notBefore(change: Change, at: string): Change {
  const later = (time: string): string => (time < at ? at : time);
  switch (change.on) {
    case "approval_created": {
      const { created_at, expires_at } = change.approval;
      const moved_ms = Date.parse(later(created_at)) - Date.parse(created_at);
      const expires = new Date(Date.parse(expires_at) + moved_ms).toISOString();
      return { ...change, approval: { ...change.approval, created_at: later(created_at), expires_at: expires } };
    }
    case "approval": {
      const { decided_at } = change.set;
      return decided_at == null ? change : { ...change, set: { ...change.set, decided_at: later(decided_at) } };
    }
    case "task": {
      const set = { ...change.set };
      if (set.ended_at != null) set.ended_at = later(set.ended_at);
      if (set.verification != null)
        set.verification = { ...set.verification, recorded_at: later(set.verification.recorded_at) };
      return { ...change, set };
    }
    default:
      return change;
  }
}

// Says what a page that shows the state of orch has to read again (D-339). It names records and holds none of their content: what changed is
// read by the operations. Writes and reads what servers announce to one another.

type Named<Event extends string, Data extends object> = { readonly event: Event; readonly data: Data };

/** Null where what changed is not known, because another server has changed it. */
export type FeedChange =
  | Named<"task", { readonly task_id: string; readonly status: string | null }>
  | Named<"approval", { readonly approval_id: string | null; readonly status: string | null }>
  | Named<"sop", { readonly sop_id: string | null }>
  | Named<"score" | "server", Record<never, never>>
  | NonNullable<ReturnType<typeof feedOfFeature>>;

/** A message as it is stored. `reset`: anything may have changed. */
export type FeedEvent =
  | FeedChange
  | { readonly event: "report"; readonly message: { readonly cursor: number; readonly event: JournalEvent } }
  | { readonly event: "reset" };

export interface Feed {
  /** Resolves to the cursor from which on the listener gets every message, in order; it may get some before. */
  listen(listener: (event: FeedEvent) => void): Promise<number>;
  leave(listener: (event: FeedEvent) => void): void;
  /** Another number after each change that is known here, with listeners or without. */
  version(): number;
}

export function feedChanges(changes: readonly Change[]): FeedChange[] {
  const found = new Map<string, FeedChange>();
  for (const change of changes) {
    const shown = feedChange(change);
    if (shown !== null) found.set(JSON.stringify(shown), shown);
  }
  return [...found.values()];
}

const NOTHING = {};

/** What may have changed where another server announces a commit. A message that it announces is read, and says the rest. */
export function heardChanges({ kinds, thread_id }: Announcement): FeedChange[] {
  return kinds.flatMap((kind): FeedChange[] => {
    if (kind === "sops") return [ANY_SOP];
    if (kind === "drain") return [{ event: "server", data: NOTHING }];
    return kind === "report" ? reportedOn(thread_id) : [];
  });
}

const ANY_SOP: FeedChange = { event: "sop", data: { sop_id: null } };

function reportedOn(thread_id: string): FeedChange[] {
  const of_feature = feedOfThread(thread_id);
  if (of_feature !== null) return [of_feature];
  const subject = subjectOfThread(thread_id);
  const of: FeedChange =
    subject.kind === "task"
      ? { event: "task", data: { task_id: subject.task_id, status: null } }
      : { event: "sop", data: { sop_id: subject.sop_id } };
  return [of, { event: "approval", data: { approval_id: null, status: null } }];
}

function feedChange(change: Change): FeedChange | null {
  switch (change.on) {
    case "task_created": {
      const { task_id, status } = change.task;
      return { event: "task", data: { task_id, status } };
    }
    case "task": {
      const { owner: _owner, lease_expires_at: _lease, ...shown } = change.set;
      if (Object.keys(shown).length === 0) return null;
      return { event: "task", data: { task_id: change.task_id, status: shown.status ?? null } };
    }
    case "approval_created":
      return { event: "approval", data: { approval_id: change.approval.approval_id, status: "pending" } };
    case "approval":
      return { event: "approval", data: { approval_id: change.approval_id, status: change.set.status ?? "pending" } };
    case "sop_created":
      return { event: "sop", data: { sop_id: change.sop.sop_id } };
    case "sop":
    case "sop_counted":
      return { event: "sop", data: { sop_id: change.sop_id } };
    case "task_scored":
    case "scores_deleted":
      return { event: "score", data: NOTHING };
    case "check_look":
    case "task_archived":
    case "delivered":
    case "target_held":
    case "target_freed":
    case "task_level":
    case "duty_done":
      return null;
    default:
      return feedOfFeature(change);
  }
}

/** `report`: a message to the supervisor. `cancel`: the task is to end. `sops`: others are active. */
const IN_COMMITS = ["report", "cancel", "sops"] as const;
/** `drain`: the server whose id is in the place of the thread's is to drain. */
const KINDS = [...IN_COMMITS, "drain"] as const;
type Kind = (typeof KINDS)[number];

export type Announcement = { readonly from: string; readonly kinds: readonly Kind[]; readonly thread_id: string };

type Written = {
  readonly thread_id: string;
  readonly events: readonly NewEvent[];
  readonly changes?: readonly Change[] | undefined;
};

/** Null where no other server has to know. */
export function announcementOf(from: string, { thread_id, events, changes = [] }: Written): Announcement | null {
  const holds: Record<(typeof IN_COMMITS)[number], boolean> = {
    report: events.some(({ kind }) => isMessage(kind)),
    cancel: events.some(({ kind }) => kind === "cancel_requested"),
    sops: changes.some(changesActiveSops),
  };
  const kinds = IN_COMMITS.filter((kind) => holds[kind]);
  return kinds.length === 0 ? null : { from, kinds, thread_id };
}

export function changesActiveSops(change: Change): boolean {
  if (change.on === "sop_created") return change.sop.status === "active";
  return change.on === "sop" && change.set.status !== undefined;
}

export const announced = ({ from, kinds, thread_id }: Announcement): string =>
  `${from} ${kinds.join(",")} ${thread_id}`;

/** Null for a text that is none. A thread id has no space; neither has the name of a server. */
export function readAnnouncement(text: string): Announcement | null {
  const [from, kinds, thread_id] = text.split(" ");
  if (from === undefined || kinds === undefined || thread_id === undefined) return null;
  const given = kinds.split(",");
  return { from, kinds: KINDS.filter((kind) => given.includes(kind)), thread_id };
}
