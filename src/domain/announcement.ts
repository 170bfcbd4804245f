// Defines what a server announces to the others (D-315): in a commit, only what a caller may wait for there. Nothing
// depends on its arrival.
import type { Change } from "./change.ts";
import { isMessage, type NewEvent } from "./journal.ts";

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
