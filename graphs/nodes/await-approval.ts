// Opens one approval for the whole plan (D-026), bound to the digest of exactly what will run, and waits for the human's decision
// [5.approval.flow]. The wait is alone in its node, because a node with an interrupt runs again from its first line. `approve`
// writes the decision to the journal, where it is read; only an inbox that answers the interrupt itself brings it along.
import { interrupt } from "@langchain/langgraph";
import { type Approval, type Decided, Decision, refusalOf, WAITS_FOR } from "../../src/domain/approval.ts";
import { placeSentence } from "../../src/domain/contract.ts";
import { outcome, reason } from "../../src/domain/outcome.ts";
import { counted } from "../../src/domain/printable.ts";
import { approvalOfTask, requested, withdrawn } from "../../src/engine/tasks/approval-record.ts";
import { Decidable, question, readDecision } from "../../src/engine/tasks/human-in-the-loop.ts";
import { pinned, pinnedTo, planContent, planContextOf, planDigests } from "../../src/engine/tasks/plan.ts";
import { firstRunWarning } from "../../src/engine/tasks/sop-trial.ts";
import type { Thread } from "../../src/engine/tasks/thread.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const requestApproval =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { findings, approvals } = journal.projection;
    const content = planContent(contract, journal.projection, findings);
    const asked = approvals.last;
    if (asked !== null && planDigests(contract, journal.projection, findings).includes(asked.digest)) {
      return { approval_id: asked.approval_id };
    }
    const plan = approvalOfTask(deps, contract, "plan", content);
    const { remote } = planContextOf(deps, pinnedTo(contract, journal.projection));
    const unshown = await firstRunWarning(deps.store, pinned(journal.projection));
    const notes = [...(remote ? ["It would run on the flow engine."] : []), ...(unshown === null ? [] : [unshown])];
    const approval = notes.length === 0 ? plan : { ...plan, reason: [asSentence(plan.reason), ...notes].join(" ") };
    const superseded = withdrawn(journal.projection);
    await journal.commit([requested(approval)], [...superseded, { on: "approval_created", approval }]);
    return { approval_id: approval.approval_id };
  };

export const awaitApproval =
  (deps: Deciding) =>
  async ({ contract, approval_id = "" }: Asked): Promise<Answered> => {
    const decided = await awaitDecision(deps, contract.task_id, approval_id);
    const { decision } = decided;
    if (decision === "approve") return { decision };
    const { code, message } = refusalOf(decided);
    return { decision, reason: reason(code, message) };
  };

/** The decision that is in the journal, or is waited for. */
export async function awaitDecision(deps: Deciding, thread_id: string, approval_id: string): Promise<Decided> {
  const { journal } = await deps.threadOf(thread_id);
  const before = journal.projection.approvals.decisions.get(approval_id);
  if (before !== undefined) return before;
  const approval = await deps.store.findApproval(approval_id);
  if (approval === null) throw new Error(`approval ${approval_id} was requested and is not stored`);
  const answer: unknown = interrupt(approvalQuestion(approval), { responseSchema: Decidable });
  return decideInline(deps, await deps.threadOf(thread_id), approval_id, answer);
}

type Deciding = Pick<PipelineDeps, "threadOf" | "store" | "clock">;
type Asked = Pick<Pipeline, "contract" | "approval_id">;
type Answered = Pick<Facts, "decision" | "reason">;

/**
 * Records a decision that arrived as the answer to the interrupt itself, as LangGraph Studio gives it. A server of orch commits the
 * decision first and resumes with nothing but the word "answered": then it is read from the journal, and this is not called.
 */
async function decideInline(
  deps: Pick<PipelineDeps, "clock">,
  { journal }: Thread,
  approval_id: string,
  answer: unknown,
): Promise<Decided> {
  const decision = Decision.parse({ ...readDecision(answer), decided_by: null, token_id: null });
  const status = decision.decision === "approve" ? "approved" : "rejected";
  const set = { status, decision, decided_at: deps.clock().toISOString() } as const;
  await journal.commit(
    [{ kind: "approval_decided", body: { ...decision, approval_id, status } }],
    [{ on: "approval", approval_id, set }],
  );
  return { ...decision, status };
}

export function approvalQuestion(approval: Approval) {
  const { approval_id, thread_id, kind, content, digest, reason, expires_at } = approval;
  const message = `${asSentence(reason)} ${sizeOf(content)}, to be approved before ${expires_at}.${placeSentence(content.runs_on)}`;
  const findings = "findings" in content ? content.findings : [];
  return question(
    outcome("need_approval", WAITS_FOR[kind], message, { thread_id, approval_id, findings }),
    { kind: "approval", approval_id },
    { name: `approve_${kind}`, args: { approval_id, digest, ...content }, description: message },
    ["approve", "reject"],
  );
}

const asSentence = (reason: string): string => (reason.endsWith(".") ? reason : `${reason}.`);

function sizeOf(content: Approval["content"]): string {
  const about = `${content.intent} on "${content.target_signature}"`;
  if ("steps" in content) return `${counted(content.steps.length, "step")} for ${about}`;
  if ("calls" in content && content.calls.length === 0) return `The work of an agent for ${about}`;
  if ("calls" in content) return `${counted(content.calls.length, "call")} of an agent for ${about}`;
  return `${counted(content.details.length, "line")} to be read for ${content.intent}`;
}
