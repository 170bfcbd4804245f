// get_approval: reads everything that is known of what a human decides on. No step runs. Its checks are tried in a sandbox, where
// nothing of the target is, and what was found is kept.
import type { Approval, ProcedureContent } from "../domain/approval.ts";
import type { TaskContract } from "../domain/contract.ts";
import { parseOrigin, type Sop } from "../domain/sop.ts";
import { looksAt } from "../tasks/sop-checks.ts";
import { type ApprovalContext, approvalContext } from "./approval-context.ts";
import { agentSteps, procedureSteps } from "./approval-steps.ts";
import { comparedWith } from "./compared-with.ts";
import type { OperationDeps } from "./deps.ts";
import type { OperationHandler } from "./operation.ts";
import { summarised } from "./read-tasks.ts";
import type { ApprovalStep, getApproval } from "./shapes/get-approval.ts";
import { recordIn } from "./sops.ts";

export const handleGetApproval: OperationHandler<typeof getApproval> =
  (deps) =>
  async ({ approval_id }, { signal }) => {
    const { approval, task, sop, contract, is_of_task } = await approvalContext(deps, approval_id);
    const { content } = approval;
    const steps = await stepsOf(deps, approval, { contract, is_of_task, signal });
    const plan_of = approval.kind === "plan" ? contract : null;
    const known = { steps, counts: countsOf(steps) };
    return {
      ...{ approval, asked_by: askedBy(approval, { task, sop }), ...known },
      checks: "steps" in content ? await checksOf(deps, content, contract, signal) : [],
      compared_with: "steps" in content ? await comparedWith(deps.store, content, { sop, plan_of }) : null,
      sop: sop === null ? null : { ...shownSop(sop), record: await recordIn(deps, sop) },
      task: task === null ? null : await summarised(deps, task),
    };
  };

type Asked = Pick<ApprovalContext, "contract" | "is_of_task"> & { readonly signal: AbortSignal };

async function stepsOf(deps: OperationDeps, { content }: Approval, asked: Asked): Promise<ApprovalStep[]> {
  if ("steps" in content) return procedureSteps(deps, content, asked);
  return "calls" in content ? agentSteps(deps, content, asked) : [];
}

function countsOf(steps: readonly ApprovalStep[]) {
  const of = (wanted: ApprovalStep["change"]) => steps.filter(({ change }) => change === wanted).length;
  return { looks: of("looks"), changes: of("changes"), cannot_tell: of("cannot_tell") };
}

/** Those of a promotion were looked at when it was asked for. Any other are tried where nothing of the target is. */
async function checksOf(
  deps: OperationDeps,
  { proof, steps, criteria }: ProcedureContent,
  contract: TaskContract,
  signal: AbortSignal,
) {
  if (proof !== undefined) return proof.checks;
  return looksAt(deps, { contract, sop: { steps, criteria, origin: "teach" }, lookable: [] }, signal);
}

function shownSop({ sop_id, version, status, level, trial_left, ...counted }: Sop) {
  const { last_success_at, success_count, failure_count } = counted;
  return { sop_id, version, status, level, trial_left, last_success_at, success_count, failure_count };
}

function askedBy({ kind, thread_id, content }: Approval, { task, sop }: Pick<ApprovalContext, "task" | "sop">): string {
  if (task === null) return promotedBy(sop, "set_back" in content && content.set_back !== undefined);
  const by = `${JSON.stringify(task.contract.requested_by)} with task ${thread_id}`;
  switch (kind) {
    case "agent":
      return `The agent that works on what was asked for by ${by}.`;
    case "skill":
      return `The skill that handles ${content.intent}, asked for by ${by}.`;
    case "replacement":
      return `The replacement of a version was asked for by ${by}.`;
    default:
      return `Asked for by ${by}.`;
  }
}

function promotedBy(sop: Sop | null, was_set_back: boolean): string {
  if (sop === null) return "The promotion of a version that is not there any more.";
  const what = `The promotion of version ${sop.version}`;
  if (was_set_back) return `${what}, which was in use and was set back.`;
  if (sop.promotion_round > 1) return `${what}, which passed its first run without a proof.`;
  const from = parseOrigin(sop.origin);
  switch (from.by) {
    case "task":
      return `${what}, which task ${from.task_id} has proved.`;
    case "teach":
      return `${what}, which was taught or imported.`;
    case "copy":
      return `${what}, a copy of ${from.sop_id}.`;
    case "rollback":
      return `${what}, with the steps of ${from.sop_id}.`;
    case "update_sop":
      return `${what}, of the update task ${from.task_id}.`;
  }
}
