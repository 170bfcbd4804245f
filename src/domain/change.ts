// What may be written beside the events of a journal.
import type { FeatureChange } from "../features/records.ts";
import type { Approval } from "./approval.ts";
import type { ArchivedTask } from "./archived.ts";
import type { JournalEvent } from "./journal.ts";
import type { TaskStatus } from "./outcome.ts";
import type { CheckLook } from "./proof.ts";
import type { ScoreChange } from "./scorecard/kept-scores.ts";
import type { Sop, SopMoves } from "./sop.ts";
import type { Task, TaskMoves } from "./task.ts";

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
