// Opens one approval for the whole plan, bound to the digest of exactly what will run (spec section 5; design: approvals).
// The wait is a node of its own: a node with an interrupt runs again from its first line.
import { type Approval, type ApprovalContent, approvalDigest } from "../../src/domain/approval.ts";
import { eventsOf, type JournalEvent } from "../../src/domain/journal.ts";
import type { Change } from "../../src/ports.ts";
import type { Facts, Pipeline } from "../state.ts";
import { decisionOn } from "./await-approval.ts";
import { findingsOf, type PipelineDeps, pinned, pinnedTo, planContent, planContextOf } from "./pipeline-deps.ts";

export const requestApproval =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const content = planContent(contract, pinned(journal.events), findingsOf(journal.events));
    const asked = eventsOf(journal.events, "approval_requested").at(-1);
    if (asked?.digest === approvalDigest(content)) return { approval_id: asked.approval_id };
    const plan = newApproval(deps, contract.task_id, "plan", content);
    const { hands_over } = planContextOf(deps, pinnedTo(contract, journal.events));
    const approval = hands_over ? { ...plan, reason: `${plan.reason} It would run on the flow engine.` } : plan;
    await journal.commit([requested(approval)], [...withdrawn(journal.events), { on: "approval_created", approval }]);
    return { approval_id: approval.approval_id };
  };

/** What was asked last, if nobody has decided on it: what was asked before has been withdrawn already. */
export const withdrawn = (events: readonly JournalEvent[]): Change[] =>
  eventsOf(events, "approval_requested")
    .slice(-1)
    .filter(({ approval_id }) => decisionOn(events, approval_id) === undefined)
    .map(({ approval_id }) => ({ on: "approval", approval_id, set: { status: "superseded" } }));

export const requested = ({ approval_id, kind, digest }: Approval) =>
  ({ kind: "approval_requested", body: { approval_id, kind, digest } }) as const;

export function newApproval(
  deps: Pick<PipelineDeps, "clock" | "new_id" | "approval_ttl_ms">,
  thread_id: string,
  kind: Approval["kind"],
  content: ApprovalContent,
): Approval {
  const now = deps.clock();
  return {
    approval_id: deps.new_id(),
    thread_id,
    kind,
    content,
    digest: approvalDigest(content),
    reason: reasonOf(kind, content),
    status: "pending",
    interrupt_id: null,
    expires_at: new Date(now.getTime() + deps.approval_ttl_ms).toISOString(),
    decision: null,
    created_at: now.toISOString(),
    decided_at: null,
  };
}

function reasonOf(kind: Approval["kind"], content: ApprovalContent): string {
  if ("action" in content) return content.action;
  if (kind === "plan" || !("steps" in content))
    return [...new Set(content.findings.map(({ reason }) => reason))].join(" ");
  return `Version ${content.sop_version} asks for its ${kind === "promotion" ? "promotion" : "place in use"}.`;
}
