// [3.update.2] [3.update.3] [3.update.4] The current SOP is deprecated, a candidate with the new steps is created and its
// promotion approval requested, in one commit. A payload that could never run changes nothing.
import { formatOrigin } from "../../src/domain/sop-origin.ts";
import { newApproval, requested } from "../../src/tasks/approval-record.ts";
import { type Replacement, replacementIn } from "../../src/tasks/replacement-plan.ts";
import { moved, newCandidate, sopChanged } from "../../src/tasks/sop-versions.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const replaceSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const asked = journal.projection.approvals.last;
    if (asked !== null) return { replacement: "requested", approval_id: asked.approval_id };
    const plan = await replacementIn(deps, contract);
    if ("reason_code" in plan) return { replacement: "refused", reason: plan };
    return { replacement: "requested", approval_id: await open(deps, contract.task_id, plan) };
  };

async function open(deps: PipelineDeps, task_id: string, { current, target, procedure }: Replacement): Promise<string> {
  const { journal } = await deps.threadOf(task_id);
  const origin = { by: "update_sop", task_id } as const;
  const draft = { intent: current.intent, target, procedure, origin, proved: false };
  const candidate = await newCandidate(deps, draft);
  if (candidate === null) throw new Error("a candidate that is not proved is always created");
  const { sop_id, version } = candidate;
  const content = { intent: candidate.intent, target_signature: candidate.target_signature, ...procedure };
  const approval = newApproval(deps, task_id, "replacement", {
    ...content,
    sop_id,
    sop_version: version,
    findings: [],
  });
  const why = formatOrigin(origin);
  const stepAside = moved(current, "deprecated", why);
  await journal.commit(
    [...stepAside.events, sopChanged(candidate, "candidate", why), requested(approval)],
    [...stepAside.changes, { on: "sop_created", sop: candidate }, { on: "approval_created", approval }],
  );
  return approval.approval_id;
}
