// Settles an approval by compare-and-set and resumes its thread. The first decision wins; the same decision again changes
// nothing; a different decision, or one that comes too late, is answered with the approval as it is.
import type { Approval, Decided, Decision } from "../../domain/approval.ts";
import { OrchError } from "../../domain/errors.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";
import { answerApproval, approvalConflict } from "../../engine/tasks/answer-pause.ts";
import { expiryClock } from "../../engine/tasks/approval-record.ts";
import { isRefusal, refusalError } from "../../engine/tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import { taskOf } from "./task-view.ts";

type Deps = Pick<OperationDeps, "store" | "clock" | "dispatcher" | "promotions">;
type Deciding = Deps & Pick<OperationDeps, "servers">;

export async function decide(deps: Deciding, approval: Approval, decision: Decision): Promise<Approval> {
  const status = decision.decision === "approve" ? "approved" : "rejected";
  const now = await decidedAs(deps, approval, { ...decision, status });
  const refusal = approvalConflict(now, status);
  if (refusal !== null) throw refusalError(refusal);
  return now;
}

async function decidedAs(deps: Deciding, approval: Approval, decided: Decided): Promise<Approval> {
  if (approval.status !== "pending") {
    await reclaimThread(deps, approval);
    return current(deps, approval);
  }
  if (approval.expires_at <= expiryClock(deps)().toISOString()) return expire(deps, approval);
  return settle(deps, approval, decided);
}

/** Expiry means rejected. */
export function expire(deps: Deps, approval: Approval): Promise<Approval> {
  const expired = { status: "expired", decision: "reject", reason: "expired" } as const;
  return settle(deps, approval, { ...expired, decided_by: null, token_id: null });
}

/** Decides unless somebody else has just done so. Resolves to the approval as it is then. */
async function settle(deps: Deps, approval: Approval, decided: Decided): Promise<Approval> {
  const answered = answerApproval(approval, decided, deps.clock().toISOString());
  if (isRefusal(answered)) throw refusalError(answered);
  const { interrupt_id, ...commit } = answered;
  const result = await deps.store.commit({ thread_id: approval.thread_id, after: "last", ...commit });
  if (result.ok) await resumeThread(deps, approval, interrupt_id);
  else await reclaimThread(deps, approval);
  return current(deps, approval);
}

async function resumeThread(deps: Deps, { thread_id }: Approval, interrupt_id: string): Promise<void> {
  const subject = subjectOfThread(thread_id);
  const start = { kind: "resume", interrupt_id } as const;
  if (subject.kind === "promotion") deps.promotions.dispatch(subject.sop_id, start);
  else deps.dispatcher.dispatch(await taskOf(deps, subject.task_id), start);
}

/** The thread of a decision whose commit lost its response: nothing has resumed it. */
async function reclaimThread({ store, dispatcher, promotions }: Deps, { thread_id }: Approval): Promise<void> {
  const subject = subjectOfThread(thread_id);
  if (subject.kind === "promotion") return promotions.dispatch(subject.sop_id, { kind: "recover" });
  const task = await store.findTask(subject.task_id);
  if (task !== null) await dispatcher.reclaim(task);
}

async function current({ store }: Deps, { approval_id }: Approval): Promise<Approval> {
  const approval = await store.findApproval(approval_id);
  if (approval === null) throw new OrchError("approval_not_found", `There is no approval ${approval_id}.`);
  return approval;
}
