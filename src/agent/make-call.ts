// Makes one call of an agent: its start is durable before it has any effect, its end right after it ended. orch never repeats
// a call that was cut off (D-134).
import { type AgentCall, FinishCall } from "../domain/agent-events.ts";
import type { Step, StepResult } from "../domain/step.ts";
import { stepConsequences } from "../policy/command-reach.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { withDelivery } from "../tasks/step-delivery.ts";
import { observeSteps } from "../tasks/step-recorder.ts";
import { tracing } from "../tasks/thread.ts";
import { FINISH } from "./catalogue.ts";
import { checksOf, objectionTo } from "./finish.ts";
import { hasHeardWhatIsHeld, isHeldAgainst } from "./held-checks.ts";
import { notACall } from "./judge-call.ts";
import { agentProofs, examineNamed } from "./proof.ts";
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
    const request = { task_contract, steps: [step], first_index: index, attempt, ...tracing(thread) };
    const results: StepResult[] = [];
    const holding = { ...observer, finished: (result: StepResult) => void results.push(result) };
    await deps.agent.execution.run(request, holding, thread.cancel);
    const consequences = results.some(({ status }) => status === "failed")
      ? await consequencesOf(context, index, step)
      : null;
    for (const result of results) observer.finished(withDelivery(step, consequences, result));
  }
  await thread.journal.flush();
}

/** In what the calls before it have left. */
async function consequencesOf({ deps, contract, judging }: AgentRunContext, index: number, step: Step) {
  const { worldBefore } = await judging();
  const shell = { ...shellContextOf(contract, deps.home), world: await worldBefore(index) };
  return deps.judge(stepConsequences, step, shell);
}

const NOT_MADE: ReadonlySet<AgentCall["state"]> = new Set(["refused", "rejected", "faulty"]);

/** A model that does not hear why its checks do not count ends its run by this many attempts. */
const MAX_FINISHES = 3;

/** Does not finish while a call of the same reply was not made, or while a check does not count: the answer says why (D-195). */
async function finish(
  { deps: { examiner, judge }, thread: { journal }, contract }: AgentRunContext,
  { index, turn, arguments: given }: Pick<AgentCall, "index" | "turn" | "arguments">,
): Promise<void> {
  const { calls } = journal.projection.agent;
  const skipped = calls.find((call) => call.turn === turn && NOT_MADE.has(call.state));
  if (skipped !== undefined) {
    const reason = `not finished: call ${skipped.index} was not made (${skipped.reason ?? "a human rejected it"}); go on, or finish without it`;
    return journal.commit([{ kind: "agent_call_judged", body: notACall({ index }, reason) }]);
  }
  const finished = FinishCall.parse(given);
  const attempts = calls.filter(({ name, index: at }) => name === FINISH && at <= index).length;
  if (finished.done && examiner !== null)
    await examineNamed(examiner, journal, contract, checksOf(calls, finished, contract));
  // An agent hears once about each check that the verdict will not count.
  const isLast = attempts >= MAX_FINISHES;
  if (finished.done && !(isLast && hasHeardWhatIsHeld(calls))) {
    const proofOf = agentProofs(journal.projection);
    const objection = await objectionTo(judge, { calls, finish: finished, goal: contract, proofOf });
    if (objection !== null && (!isLast || isHeldAgainst(objection)))
      return journal.commit([{ kind: "agent_call_judged", body: notACall({ index }, objection) }]);
  }
  return journal.commit([{ kind: "agent_finished", body: { index, ...finished } }]);
}
