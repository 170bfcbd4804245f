// Opens one approval for the whole plan (D-026), bound to the digest of exactly what will run. The wait is another node: a
// node with an interrupt runs again from its first line.
import { approvalDigest } from "../../src/domain/approval.ts";
import { newApproval, requested, withdrawn } from "../../src/tasks/approval-record.ts";
import { pinned, pinnedTo, planContent, planContextOf } from "../../src/tasks/plan.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const requestApproval =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { findings, approvals } = journal.projection;
    const content = planContent(contract, pinned(journal.projection), findings);
    const asked = approvals.last;
    if (asked?.digest === approvalDigest(content)) return { approval_id: asked.approval_id };
    const plan = newApproval(deps, contract.task_id, "plan", content);
    const { remote } = planContextOf(deps, pinnedTo(contract, journal.projection));
    const approval = remote ? { ...plan, reason: `${plan.reason} It would run on the flow engine.` } : plan;
    const superseded = withdrawn(journal.projection);
    await journal.commit([requested(approval)], [...superseded, { on: "approval_created", approval }]);
    return { approval_id: approval.approval_id };
  };
