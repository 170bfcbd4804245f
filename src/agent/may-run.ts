// Whether a call may be made now: the rules judge again the very step that would run, and an approval covers exactly the calls
// and findings that were shown.
import type { AgentCall } from "../domain/agent-call.ts";
import { approvalDigest } from "../domain/approval.ts";
import type { Finding } from "../domain/finding.ts";
import { findingsOn, type Judging } from "./judge-call.ts";
import { contentOf } from "./judge-calls.ts";
import type { AgentRunContext } from "./run-context.ts";

/** False, with the refusal on record, where it may not. */
export async function mayRun(context: AgentRunContext, call: AgentCall): Promise<boolean> {
  const { index, step, effect } = call;
  if (step === null) return true;
  const around = await context.judging();
  const findings = findingsOn(step, index, around);
  const block = findings.find(({ verdict }) => verdict === "block");
  const needsNone = findings.length === 0 && call.findings.length === 0;
  if (block === undefined && (needsNone || isApproved(context, call, around))) return true;
  const reason = block?.reason ?? "what would run now is not what was approved";
  const body = { index, verdict: "refuse", reason, step, effect, findings } as const;
  await context.thread.journal.commit([{ kind: "agent_call_judged", body }]);
  return false;
}

function isApproved({ thread, contract }: AgentRunContext, { turn, approval_id }: AgentCall, around: Judging): boolean {
  const { approvals, agent } = thread.journal.projection;
  const asked = approval_id === null ? undefined : approvals.requests.get(approval_id);
  if (approval_id === null || asked === undefined) return false;
  const covered = agent.calls.filter((one) => one.approval_id === approval_id);
  const shown = covered.map((one) => ({ ...one, findings: judgedAgain(one, around) }));
  const isSame = asked.digest === approvalDigest(contentOf(contract, turn, shown));
  return isSame && approvals.decisions.get(approval_id)?.decision === "approve";
}

/** The rules as they are now, and what the model has said of the categories. */
const judgedAgain = ({ step, index, findings }: AgentCall, around: Judging): Finding[] => [
  ...(step === null ? [] : findingsOn(step, index, around)),
  ...findings.filter(({ code }) => code.startsWith("category.")),
];
