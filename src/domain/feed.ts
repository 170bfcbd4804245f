// Says what a page that shows the state of orch has to read again (D-339). It names records and holds none of their content: what changed is
// read by the operations. Writes and reads what servers announce to one another.
import { feedOfFeature, feedOfThread } from "../features/records.ts";
import type { Change } from "./change.ts";
import { isMessage, type JournalEvent, type NewEvent } from "./journal.ts";
import { subjectOfThread } from "./thread-id.ts";

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
