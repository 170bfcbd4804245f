// The end of a skill's step was not recorded, and the handler cannot find out what happened. The supervisor does, and
// answers with resolve_step, as for a step of a procedure.
import { interrupt } from "@langchain/langgraph";
import { readEdit } from "../../src/tasks/human-in-the-loop.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";
import { Resolution, resolutionQuestion } from "./await-resolution.ts";

export const awaitSkillResolution =
  (deps: PipelineDeps) =>
  async ({ contract, step_index = 0 }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const step = journal.projection.skill.steps[step_index];
    if (step?.state !== "cut_off") return {};
    const { index, attempt, name } = step;
    const answer = interrupt(
      resolutionQuestion({ task_id: contract.task_id, index, attempt }, { kind: "skill", name }),
    );
    const { resolution } = Resolution.parse(readEdit(answer));
    await journal.commit([{ kind: "step_resolved", body: { index, attempt, resolution, reason: null } }]);
    return {};
  };
