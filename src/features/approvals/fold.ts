// Folds what a task has asked for and what was decided.
import type { Decided } from "../../domain/approval.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { Fold, ReadOnly } from "../../engine/tasks/fold.ts";

type ApprovalsState = {
  /** By approval id, oldest first. */
  requests: Map<string, EventBody<"approval_requested">>;
  last: EventBody<"approval_requested"> | null;
  /** By approval id. The first decision counts. */
  decisions: Map<string, Decided>;
};
type ApprovalsProjection = ReadOnly<ApprovalsState>;

const noApprovals = (): ApprovalsState => ({ requests: new Map(), last: null, decisions: new Map() });

function evolveApprovals(approvals: ApprovalsState, event: JournalEvent): void {
  switch (event.kind) {
    case "approval_requested":
      approvals.requests.set(event.body.approval_id, event.body);
      approvals.last = event.body;
      break;
    case "approval_decided":
      if (!approvals.decisions.has(event.body.approval_id)) approvals.decisions.set(event.body.approval_id, event.body);
      break;
  }
}

/** What was asked last and is not decided yet. */
export const openRequestOf = ({ last, decisions }: ApprovalsProjection) =>
  last === null || decisions.has(last.approval_id) ? null : last;

export const APPROVALS: Fold<ApprovalsState> = { initial: noApprovals, evolve: evolveApprovals };
