// update_sop, steps 1 to 4 (spec section 3): the current SOP is deprecated, a candidate with the new steps is created and
// its promotion approval requested, in one commit. A payload that could never run changes nothing.
import { z } from "zod";
import { Intent } from "../../src/domain/contract.ts";
import { lastOf, type Procedure } from "../../src/domain/journal.ts";
import { coverCriteria, type Sop, SopDefinition } from "../../src/domain/sop.ts";
import { Target, targetSignature } from "../../src/domain/target.ts";
import { definitionOf } from "../../src/domain/teaching.ts";
import type { Facts, Pipeline } from "../state.ts";
import { because, type Why } from "../why.ts";
import type { PipelineDeps } from "./pipeline-deps.ts";
import { newApproval, requested } from "./request-approval.ts";
import { moved, newCandidate, sopChanged } from "./sop-changes.ts";

const UpdatePayload = SopDefinition.extend({ intent: Intent, target: Target.optional() });

export const replaceSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const asked = lastOf(journal.events, "approval_requested");
    if (asked !== undefined) return { replacement: "requested", approval_id: asked.approval_id };
    const payload = UpdatePayload.safeParse(contract.payload);
    if (!payload.success) return refused(because("update_invalid", `payload: ${z.prettifyError(payload.error)}`));
    const target = payload.data.target ?? contract.target;
    const signature = targetSignature(target);
    const current = await deps.store.findActiveSop(payload.data.intent, signature);
    if (current === null) {
      return refused(because("sop_not_found", `There is no active SOP for ${payload.data.intent} on "${signature}".`));
    }
    const { intent: _intent, target: _target, ...definition } = payload.data;
    const procedure = procedureFrom(definition, target, current, deps);
    if ("reason_code" in procedure) return refused(procedure);
    const approval_id = await open(deps, contract.task_id, current, target, procedure);
    return { replacement: "requested", approval_id };
  };

const refused = (why: Why): Facts => ({ replacement: "refused", why });

/** Without a map of its own, the new version has to prove, in order, what the current one proves. */
function procedureFrom(definition: SopDefinition, target: Target, current: Sop, deps: PipelineDeps): Procedure | Why {
  const proved = current.criteria.map(({ criterion }) => criterion);
  const inOrder = coverCriteria(proved, definition.steps);
  const { procedure, issues } = definitionOf(current.intent, target, definition, deps);
  const all = definition.criteria === undefined ? [...inOrder.issues, ...issues] : issues;
  const [first] = all;
  if (first !== undefined) return because("update_invalid", `payload.${first.path}: ${first.message}`);
  return definition.criteria === undefined ? { ...procedure, criteria: inOrder.criteria } : procedure;
}

async function open(
  deps: PipelineDeps,
  task_id: string,
  current: Sop,
  target: Target,
  procedure: Procedure,
): Promise<string> {
  const { journal } = await deps.threadOf(task_id);
  const draft = { intent: current.intent, target, procedure, origin: `update_sop ${task_id}`, proved: false };
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
  const stepAside = moved(current, "deprecated", `update_sop ${task_id}`);
  await journal.commit(
    [...stepAside.events, sopChanged(candidate, "candidate", `update_sop ${task_id}`), requested(approval)],
    [...stepAside.changes, { on: "sop_created", sop: candidate }, { on: "approval_created", approval }],
  );
  return approval.approval_id;
}
