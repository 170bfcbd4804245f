// Makes one call of an agent: its start is durable before it has any effect, its end right after it ended. orch never repeats
// a call that was cut off (D-134).
import { type AgentCall, Finish } from "../domain/agent-events.ts";
import { observeSteps } from "../tasks/step-recorder.ts";
import { notACall } from "./judge-call.ts";
import type { AgentRunContext } from "./run-context.ts";
import { runSkillTool } from "./run-skill-tool.ts";

export async function makeCall(
  context: AgentRunContext,
  { index, turn, attempt, step, arguments: given }: AgentCall,
): Promise<void> {
  const { deps, thread, contract } = context;
  if (step === null) return finish(context, { index, turn, arguments: given });
  const observer = observeSteps(thread, null);
  if (step.kind === "skill_tool") await runSkillTool(context, { index, attempt, step }, observer);
  else {
    // What a model writes is literal: `${payload.x}` in it would give a tool what the model was not shown (D-147).
    const task_contract = step.kind === "mcp_call" ? { ...contract, target: {}, payload: {} } : contract;
    const request = { task_contract, steps: [step], first_index: index, attempt };
    await deps.agent.execution.run(request, observer, thread.cancel);
  }
  await thread.journal.flush();
}

const NOT_MADE: ReadonlySet<AgentCall["state"]> = new Set(["refused", "rejected", "faulty"]);

/** Does not finish when a call of the same reply was not made: the agent is informed of that first (D-135). */
function finish(
  { thread }: AgentRunContext,
  { index, turn, arguments: given }: Pick<AgentCall, "index" | "turn" | "arguments">,
) {
  const { journal } = thread;
  const skipped = journal.projection.agent.calls.find((call) => call.turn === turn && NOT_MADE.has(call.state));
  if (skipped === undefined)
    return journal.commit([{ kind: "agent_finished", body: { index, ...Finish.parse(given) } }]);
  const reason = `not finished: call ${skipped.index} was not made (${skipped.reason ?? "a human rejected it"}); go on, or finish without it`;
  return journal.commit([{ kind: "agent_call_judged", body: notACall({ index }, reason) }]);
}
