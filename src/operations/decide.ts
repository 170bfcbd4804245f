// Settles an approval by compare-and-set and resumes its thread. The first decision wins; the same decision again changes
// nothing; a different decision, or one that comes too late, is answered with the approval as it is.
import type { Approval, Decided, Decision } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import type { Task } from "../domain/task.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import {
  answer,
  answerApproval,
  answerConflict,
  approvalConflict,
  type SupervisorAnswer,
  wasGiven,
} from "../tasks/answer-pause.ts";
import { projection } from "../tasks/projection.ts";
import { isRefusal, refusalError } from "../tasks/transitions.ts";
import { expiryClock } from "../tasks/wall-clock.ts";
import type { OperationDeps } from "./deps.ts";
import { type OperationHandler, withName } from "./operation.ts";
import type { resolveStep } from "./shapes/tasks.ts";
import { taskOf, viewAfterWait } from "./task-view.ts";

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

// Answers a task that waits for the supervisor, and resumes it. resolve_step is the supervisor's word on a step whose outcome is
// not recorded.

export async function answerTask(
  deps: Pick<OperationDeps, "store" | "dispatcher" | "locks">,
  task: Task,
  given: SupervisorAnswer,
): Promise<void> {
  const { task_id } = task;
  const answered = answer(task, given);
  if (isRefusal(answered)) return acceptRepeated(deps, task, given);
  const { interrupt_id, ...commit } = answered;
  const result = await deps.store.commit({ thread_id: task_id, after: "last", ...commit });
  if (!result.ok) {
    return acceptRepeated(deps, await taskOf(deps, task_id), given);
  }
  deps.dispatcher.dispatch(task, { kind: "resume", interrupt_id });
}

/**
 * A task that does not wait any more may have been given this very answer by a call whose response was lost: nothing may have
 * resumed it. Any other answer is refused.
 */
async function acceptRepeated(
  { store, dispatcher }: Pick<OperationDeps, "store" | "dispatcher">,
  task: Task,
  given: SupervisorAnswer,
): Promise<void> {
  await dispatcher.reclaim(task);
  if (wasGiven(projection(await store.readJournal(task.task_id)), given)) return;
  throw refusalError(answerConflict(task, given.kind));
}

export const handleResolveStep: OperationHandler<typeof resolveStep> =
  (deps) =>
  async ({ task_id, resolution, index, attempt, reason: given = null, wait_seconds }, caller) => {
    const { signal } = caller;
    const reason = withName(given, caller);
    const task = await taskOf(deps, task_id);
    await answerTask(deps, task, { kind: "resolution", index, attempt, resolution, reason });
    return viewAfterWait(deps, task_id, { wait_seconds, signal });
  };
