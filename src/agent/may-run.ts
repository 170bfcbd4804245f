// Decides whether a call may be made now. The rules judge the step again immediately before it runs, and an approval
// covers exactly the calls and findings that were shown [5.policy.approval] (D-137).
import type { AgentCall } from "../domain/agent-events.ts";
import type { Finding } from "../domain/finding.ts";
import { isFoundAsBefore, judgedAgain } from "../policy/cut-judgement.ts";
import { runsOnOf } from "../tasks/plan.ts";
import { recorded, staleText, unreadToolsText } from "../tasks/run-from-outside.ts";
import { startFindings } from "./ask-at-start.ts";
import { findingsOn, type Judging } from "./judge-call.ts";
import { callDigests } from "./judge-calls.ts";
import type { AgentRunContext } from "./run-context.ts";

/** Returns false, after it has recorded the refusal, when the call may not be made. */
export async function mayRun(context: AgentRunContext, call: AgentCall): Promise<boolean> {
  const { index, step, effect } = call;
  if (step === null) return true;
  const judging = await context.judging();
  const { findings, scripts } = await judgedAgain(() => findingsOn(step, index, judging), call.findings);
  const unasked = step.kind === "cmd" || step.kind === "check" ? await unaskedPlace(context) : null;
  const block = unasked ?? findings.find(({ verdict }) => verdict === "block");
  const needsNone = findings.length === 0 && call.findings.length === 0;
  if (block === undefined && (needsNone || (await isApproved(context, call, judging)))) return true;
  const tools = await judging.boundTools(step, call.tools);
  const before = { scripts: call.scripts ?? [], tools: call.tools ?? [] };
  const how = staleText(before, { scripts, tools }) || unreadToolsText(tools);
  const reason = block?.reason ?? `what would run now is not what was approved.${how}`;
  const body = {
    index,
    verdict: "refuse",
    reason,
    step,
    effect,
    findings,
    ...recorded({ scripts, tools }),
  } as const;
  await context.thread.journal.commit([{ kind: "agent_call_judged", body }]);
  return false;
}

/** A link may lead elsewhere since the start was approved. */
async function unaskedPlace({ deps, thread, contract }: AgentRunContext): Promise<Finding | null> {
  const asked = new Set(thread.journal.projection.findings.map(({ reason }) => reason));
  return (await startFindings(deps.agent, contract)).find(({ reason }) => !asked.has(reason)) ?? null;
}

async function isApproved(
  { thread, contract }: AgentRunContext,
  { turn, approval_id }: AgentCall,
  judging: Judging,
): Promise<boolean> {
  const { approvals, agent } = thread.journal.projection;
  const asked = approval_id === null ? undefined : approvals.requests.get(approval_id);
  if (approval_id === null || asked === undefined) return false;
  const covered = agent.calls.filter((one) => one.turn === turn && one.step !== null && isCovered(one, approval_id));
  const shown = await Promise.all(covered.map((one) => asFoundNow(one, judging)));
  const placed = { contract, ...runsOnOf(thread.journal.projection) };
  const isSame = callDigests(placed, turn, shown).includes(asked.digest);
  const isRead = unreadToolsText(shown.flatMap(({ tools = [] }) => tools)) === "";
  return isSame && isRead && approvals.decisions.get(approval_id)?.decision === "approve";
}

/** The whole reply, but for what policy refused of it. */
const isCovered = ({ approval_id, state }: AgentCall, approved: string): boolean =>
  approval_id === approved || (state !== "refused" && state !== "faulty");

/** The call with the findings of the rules as they are now, and the recorded findings of the approval categories. */
async function asFoundNow(call: AgentCall, judging: Judging): Promise<AgentCall> {
  const { step, index, findings, result } = call;
  // A call that has been made may have changed the scripts that it ran.
  if (step === null || result !== null) return call;
  const now = await judgedAgain(() => findingsOn(step, index, judging), findings);
  const by_model = findings.filter(({ code }) => code.startsWith("category."));
  const all = [...now.findings, ...by_model];
  const isSame = isFoundAsBefore({ now: all, before: findings, from: 0 });
  const tools = await judging.boundTools(step, call.tools);
  return { ...call, findings: isSame ? findings : all, scripts: [...now.scripts], tools };
}
