// Decides whether a call may be made now. The rules judge the step again immediately before it runs, and an approval
// covers exactly the calls and findings that were shown [5.policy.approval] (D-137).
import type { AgentCall } from "../domain/agent-events.ts";
import type { Finding } from "../domain/finding.ts";
import { findingsOn, type Judging } from "./judge-call.ts";
import { callDigests } from "./judge-calls.ts";
import type { AgentRunContext } from "./run-context.ts";

/** Returns false, after it has recorded the refusal, when the call may not be made. */
export async function mayRun(context: AgentRunContext, call: AgentCall): Promise<boolean> {
  const { index, step, effect } = call;
  if (step === null) return true;
  const judging = await context.judging();
  const findings = findingsOn(step, index, judging);
  const block = findings.find(({ verdict }) => verdict === "block");
  const needsNone = findings.length === 0 && call.findings.length === 0;
  if (block === undefined && (needsNone || isApproved(context, call, judging))) return true;
  const reason = block?.reason ?? "what would run now is not what was approved";
  const body = { index, verdict: "refuse", reason, step, effect, findings } as const;
  await context.thread.journal.commit([{ kind: "agent_call_judged", body }]);
  return false;
}

function isApproved(
  { thread, contract }: AgentRunContext,
  { turn, approval_id }: AgentCall,
  judging: Judging,
): boolean {
  const { approvals, agent } = thread.journal.projection;
  const asked = approval_id === null ? undefined : approvals.requests.get(approval_id);
  if (approval_id === null || asked === undefined) return false;
  const covered = agent.calls.filter((one) => one.approval_id === approval_id);
  const shown = covered.map((one) => ({ ...one, findings: judgedAgain(one, judging) }));
  const isSame = callDigests(contract, turn, shown).includes(asked.digest);
  return isSame && approvals.decisions.get(approval_id)?.decision === "approve";
}

/** The findings of the rules as they are now, and the recorded findings of the approval categories. */
const judgedAgain = ({ step, index, findings }: AgentCall, judging: Judging): Finding[] => [
  ...(step === null ? [] : findingsOn(step, index, judging)),
  ...findings.filter(({ code }) => code.startsWith("category.")),
];
