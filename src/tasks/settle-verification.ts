// What is recorded of a task once its diagnostic task has ended, or could not be submitted: the verdict of that procedure as the
// check from outside, or a message that there is none (D-309). One commit, and never a second one.
import { outcomeOf } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import { answerOf, beginningOf } from "../domain/verification.ts";
import { stepResultsOf } from "./projection/steps.ts";
import type { Projection } from "./projection.ts";
import type { Transition } from "./transitions.ts";
import { againFault, ownSteps } from "./verify-by.ts";

export type VerificationEnd =
  | { readonly missed: string; readonly diagnostic: Task | null }
  /** `own` is what the task itself has run, `ran` what the procedure has. */
  | { readonly diagnostic: Task; readonly ran: Projection; readonly own: Projection };

const MAX_NOTE = 4096;

export function settleVerification(task: Task, end: VerificationEnd, at: string): Transition {
  if ("missed" in end) return missed(task, end.diagnostic, end.missed);
  const { diagnostic, ran, own } = end;
  const { procedure, verdict } = ran;
  const said = outcomeOf(diagnostic)?.message ?? "";
  const verified = answerOf(verdict, procedure === null ? [] : stepResultsOf(ran.steps, procedure.steps));
  if (verified === null || procedure === null) {
    const { task_id, outcome } = diagnostic;
    return missed(task, diagnostic, `${task_id} gave no verdict: ${said} (${outcome?.reason_code})`);
  }
  const again = againFault(ownSteps(own), { intent: diagnostic.intent, steps: procedure.steps });
  if (again !== null) return missed(task, diagnostic, again);
  const { task_id } = task;
  const body = {
    verified,
    source: task.contract.verify_by ?? "",
    note: beginningOf(said, MAX_NOTE),
    evidence: { task_id: diagnostic.task_id },
    verified_by: `sop:${procedure.sop_id} v${procedure.sop_version}`,
  };
  const verification = { ...body, recorded_at: at };
  return {
    events: [{ kind: "verification_recorded", body }],
    changes: [{ on: "task", task_id, expect: { status: ["ok"] }, set: { verification } }],
  };
}

function missed({ contract }: Task, diagnostic: Task | null, why: string): Transition {
  const verify_by = contract.verify_by ?? "";
  const message = `${verify_by} has not verified the task: ${beginningOf(why, MAX_NOTE)}`;
  const body = { verify_by, task_id: diagnostic?.task_id ?? null, message };
  return { events: [{ kind: "verification_missed", body }], changes: [] };
}
