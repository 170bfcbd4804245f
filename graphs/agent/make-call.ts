// Makes one call of an agent: its start is durable before it has any effect, and its end as soon as it has ended (design:
// journal). A call that a stop cuts off is never made again by itself.
import type { AgentCall } from "../../src/domain/agent/agent-calls.ts";
import { Finish } from "../../src/domain/agent/agent-events.ts";
import { observeSteps } from "../nodes/observe-steps.ts";
import type { AgentWork } from "./agent-work.ts";
import { runSkillTool } from "./run-skill-tool.ts";

export async function makeCall(work: AgentWork, { index, attempt, step, arguments: given }: AgentCall): Promise<void> {
  const { deps, thread, contract } = work;
  if (step === null) {
    return thread.journal.commit([{ kind: "agent_finished", body: { index, ...Finish.parse(given) } }]);
  }
  const observer = observeSteps(thread, null);
  if (step.kind === "skill_tool") await runSkillTool(work, { index, attempt, step }, observer);
  else {
    // What a model writes is no template: `${payload.x}` in it would hand a tool what the model was not shown.
    const task_contract = step.kind === "mcp_call" ? { ...contract, target: {}, payload: {} } : contract;
    const request = { task_contract, steps: [step], first_index: index, attempt };
    await deps.agent.execution.run(request, neverRepeated(observer), thread.cancel);
  }
  await thread.journal.commit([]);
}

/** Whatever a server says of its tool: in agent mode nothing that was cut off is made again without a word. */
const neverRepeated = (observer: ReturnType<typeof observeSteps>): ReturnType<typeof observeSteps> => ({
  ...observer,
  started: (index, attempt) => observer.started(index, attempt),
});
