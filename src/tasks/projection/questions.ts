// Folds the questions of a thread with their answers: the approvals that were asked of a human, and the two questions of
// the routing model. No question is asked twice.
import type { Decided } from "../../domain/approval.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { Json } from "../../domain/json.ts";
import type { ReadOnly } from "./steps.ts";

export type ApprovalsState = {
  /** By approval id, oldest first. */
  requests: Map<string, EventBody<"approval_requested">>;
  last: EventBody<"approval_requested"> | null;
  /** By approval id. The first decision counts. */
  decisions: Map<string, Decided>;
};
type ApprovalsProjection = ReadOnly<ApprovalsState>;

export const noApprovals = (): ApprovalsState => ({ requests: new Map(), last: null, decisions: new Map() });

export function evolveApprovals(approvals: ApprovalsState, event: JournalEvent): void {
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

export type GateState = {
  answers: EventBody<"gate_answered">[];
  /** The answers about approvals, by command. */
  categories: Map<string, Json>;
  failures: Set<string>;
};

export const noAnswers = (): GateState => ({ answers: [], categories: new Map(), failures: new Set() });

export function evolveGate(gate: GateState, event: JournalEvent): void {
  if (event.kind !== "gate_answered") return;
  const { question, about, answer } = event.body;
  gate.answers.push(event.body);
  if (question === "approval") gate.categories.set(about, answer);
  else gate.failures.add(about);
}
