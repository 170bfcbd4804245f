// What became of the version that a task proved, or made by update_sop.
import { endsTask, type JournalEvent } from "../journal.ts";

export const CANDIDATE_ENDS = ["open", "promoted", "rejected"] as const;

/** Null where the task made no version. `promotion` is the journal of the thread on which that version was asked about. */
export function candidateOf(
  events: readonly JournalEvent[],
  promotion: readonly JournalEvent[],
): (typeof CANDIDATE_ENDS)[number] | null {
  const moves = events.flatMap((event) => (event.kind === "sop_changed" ? [event.body] : []));
  const made = moves.find(({ status }) => status === "candidate");
  if (made === undefined) return null;
  // A replacement is settled by its own task.
  const settled = moves.findLast(({ sop_id, status }) => sop_id === made.sop_id && status !== "candidate");
  if (settled !== undefined) return settled.status === "active" ? "promoted" : "rejected";
  const end = promotion.find(endsTask);
  if (end?.kind !== "reported") return "open";
  return end.body.status === "ok" ? "promoted" : "rejected";
}

/** The version that a task made and that has a promotion of its own. */
export const candidateIn = (events: readonly JournalEvent[]): string | null =>
  events.flatMap((event) => (event.kind === "sop_changed" && event.body.status === "candidate" ? [event.body] : []))[0]
    ?.sop_id ?? null;
