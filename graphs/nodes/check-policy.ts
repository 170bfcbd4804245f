// Judges the whole plan before anything runs [1.A.5.policy]. The model is asked only about what the rules leave open, and
// only when the contract names categories: whether commands fall into those of require_approval_for [4.gate.approval].
import type { TaskContract } from "../../src/domain/contract.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { reason } from "../../src/domain/outcome.ts";
import type { ReasonCode } from "../../src/domain/reason-code.ts";
import { commandText } from "../../src/domain/step-run.ts";
import { permissionOf } from "../../src/policy/judge-plan.ts";
import { categoryFinding, createAnswering } from "../../src/tasks/category-answers.ts";
import { judged, pinned } from "../../src/tasks/plan.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const checkPolicy =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const findings = judged(deps, contract, journal.projection);
    const permission = permissionOf(findings);
    if (permission !== "deny" && asksForCategories(contract)) return { permission: "undecided" };
    journal.note({ kind: "policy_judged", body: { findings } });
    const block = findings.find((finding) => finding.verdict === "block");
    return block === undefined ? { permission } : { permission, reason: reasonOfBlock(block) };
  };

const asksForCategories = (contract: TaskContract): boolean => contract.constraints.require_approval_for.length > 0;

const REASON_OF: Partial<Record<Finding["code"], ReasonCode>> = {
  "scope.server": "outside_scope",
  "scope.program": "outside_scope",
  "parameter.unknown": "parameter_unknown",
  "engine.reference": "engine_reference",
  "read_only.changes_state": "read_only_intent",
};

const reasonOfBlock = ({ code, reason: rule, step_index }: Finding) =>
  reason(REASON_OF[code] ?? "always_blocked", `Step ${step_index}: ${rule}`, step_index);

export const matchCategories =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const procedure = pinned(thread.journal.projection);
    const answerFor = createAnswering(deps, thread, contract);
    const findings = judged(deps, contract, thread.journal.projection);
    for (const [step_index, step] of procedure.steps.entries()) {
      if (step.kind === "wait") continue;
      const finding = categoryFinding(await answerFor(commandText(step)), step_index, commandText(step));
      if (finding !== null) findings.push(finding);
    }
    thread.journal.note({ kind: "policy_judged", body: { findings } });
    return { permission: permissionOf(findings) };
  };
