// Decides who handles the task, from the contract alone. Scope is judged with the plan, in check_policy.
import { obstacleTo } from "../../src/tasks/admission.ts";
import { pinnedTo } from "../../src/tasks/plan.ts";
import { hasStarted } from "../../src/tasks/progress.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import { assertHasContract, type Facts, type Pipeline } from "../state.ts";

export const admit =
  (deps: PipelineDeps) =>
  async (state: Pipeline): Promise<Facts> => {
    assertHasContract(state);
    const { contract } = state;
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const { journal } = await deps.threadOf(contract.task_id);
    if (contract.delegation_mode === "agent") {
      const isUnderWay = journal.projection.agent.turns.length > 0;
      const obstacle = isUnderWay ? null : await obstacleTo(deps, contract);
      return obstacle === null ? { path: "agent" } : { path: "unavailable", reason: obstacle };
    }
    const hasSteps = journal.projection.skill.steps.length > 0;
    const isSkills = deps.skillOf(contract.intent) !== null || hasSteps;
    const obstacle = await obstacleTo(deps, isSkills ? contract : pinnedTo(contract, journal.projection));
    if (hasSteps || (isSkills && obstacle === null)) return { path: "skill" };
    // A task that has begun runs to its end, or is asked about.
    return obstacle === null || hasStarted(journal.projection)
      ? { path: "sop" }
      : { path: "unavailable", reason: obstacle };
  };
