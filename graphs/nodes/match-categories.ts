// Asks the routing model whether commands of the plan fall into categories of require_approval_for [4.gate.approval].

import { commandText } from "../../src/domain/step-run.ts";
import { permissionOf } from "../../src/policy/judge-plan.ts";
import { categoryFinding, createAnswering } from "../../src/tasks/category-answers.ts";
import { judged, pinned } from "../../src/tasks/plan.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

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
