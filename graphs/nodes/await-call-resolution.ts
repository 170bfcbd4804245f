// The outcome of an agent's call is unknown: orch stopped in the middle of it, or it got no response. It is never repeated
// by itself (D-134): the supervisor finds out and answers with resolve_step.
import { interrupt } from "@langchain/langgraph";
import { readEdit } from "../../src/tasks/human-in-the-loop.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Pipeline } from "../state.ts";
import { Resolution, resolutionQuestion } from "./await-resolution.ts";

export const awaitCallResolution =
  (deps: Pick<PipelineDeps, "threadOf">) =>
  async ({ contract, step_index = 0 }: Pick<Pipeline, "contract" | "step_index">): Promise<Record<string, never>> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const call = journal.projection.agent.calls[step_index];
    if (call?.step == null || (call.state !== "started" && call.state !== "unknown")) return {};
    const { index, attempt, step } = call;
    const ended = call.state === "unknown" ? call.result : null;
    const answer = interrupt(resolutionQuestion({ task_id: contract.task_id, index, attempt }, step, ended));
    const { resolution } = Resolution.parse(readEdit(answer));
    await journal.commit([{ kind: "step_resolved", body: { index, attempt, resolution, reason: null } }]);
    return {};
  };
