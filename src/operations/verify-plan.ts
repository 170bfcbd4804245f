// What a task's view says of its check from outside: what the contract wants, what is to come, and what follows from it.
import { advice, call, type NextAction } from "../domain/next-action.ts";
import type { Task } from "../domain/task.ts";
import { diagnosticId, owedSince, type Verification, verifiedAt } from "../domain/verification.ts";
import type { Projection } from "../tasks/projection.ts";
import type { TaskView } from "./shapes/task-view.ts";

export function verifyPlan({ contract, status, ended_at }: Task, state: Projection): TaskView["verify"] {
  const { verify_by = null, verify_within_hours, task_id } = contract;
  if (verify_by === null && verify_within_hours === undefined) return null;
  const done_at = status === "ok" ? ended_at : null;
  return {
    by: verify_by,
    task_id: verify_by === null ? null : diagnosticId(task_id),
    at: verify_by === null || done_at === null ? null : verifiedAt(contract, done_at),
    owed_since: done_at === null ? null : owedSince(contract, done_at),
    missed: state.verification_missed?.message ?? null,
  };
}

/** Before what the supervisor may do itself. */
export function toCome({ verification }: Task, plan: TaskView["verify"]): NextAction[] {
  if (plan === null || plan.at === null || verification !== null) return [];
  if (plan.missed !== null) return [advice(plan.missed)];
  return [advice(`Nothing yet: ${plan.by} verifies it as task ${plan.task_id}, from ${plan.at} on.`)];
}

export function afterVerification({ verified, verified_by, evidence }: Verification): NextAction[] {
  if (verified_by === undefined) return [advice("Nothing: your own check is recorded.")];
  if (verified) return [advice(`Nothing: ${verified_by} has verified it.`)];
  const { task_id = "" } = evidence ?? {};
  return [
    call("get_evidence", { task_id }, `Read what ${verified_by} saw: it refutes that the task is done.`),
    advice("If it is wrong, look yourself and record that: the last check counts."),
  ];
}
