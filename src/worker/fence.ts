// Whether the owner of a thread may continue after other writers have appended to it. A decision or a request to cancel lets
// it continue; another owner's claim and an end on record do not.
import { OrchError } from "../domain/errors.ts";
import { endsTask, type JournalEvent } from "../domain/journal.ts";
import { subjectOfThread } from "../domain/thread-id.ts";

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
