// An approval with what it is about: its task or its version, and the contract that its steps are given.
import { type Approval, isAsked } from "../domain/approval.ts";
import type { TaskContract } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import type { Sop } from "../domain/sop.ts";
import type { Task } from "../domain/task.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import { withoutTask } from "../tasks/without-task.ts";
import type { OperationDeps } from "./deps.ts";

export type ApprovalContext = {
  readonly approval: Approval;
  readonly task: Task | null;
  readonly sop: Sop | null;
  readonly contract: TaskContract;
  /** Whether the contract is that of a task which runs the steps; else it has only their target. */
  readonly is_of_task: boolean;
};

/** Rejects where there is none, or where nothing waits for it yet. */
export async function approvalContext(
  { store }: Pick<OperationDeps, "store">,
  approval_id: string,
): Promise<ApprovalContext> {
  const approval = await store.findApproval(approval_id);
  if (approval === null || !isAsked(approval))
    throw new OrchError("approval_not_found", `There is no approval ${approval_id}.`);
  const { content, thread_id } = approval;
  const subject = subjectOfThread(thread_id);
  const task = subject.kind === "task" ? await store.findTask(subject.task_id) : null;
  const sop = "steps" in content && content.sop_id !== null ? await store.findSop(content.sop_id) : null;
  const own = ownContract(approval, task);
  const target = sop?.target ?? ("contract" in content ? content.contract?.target : undefined) ?? {};
  return { approval, task, sop, contract: own ?? withoutTask(content.intent, target), is_of_task: own !== null };
}

/** A version that is to be promoted is run for no task yet. */
function ownContract({ kind, content }: Approval, task: Task | null): TaskContract | null {
  if (kind !== "plan" && kind !== "agent" && kind !== "skill") return null;
  return ("contract" in content ? content.contract : undefined) ?? task?.contract ?? null;
}
