// How an approval is requested and withdrawn in the journal [5.approval.flow].
import { type Approval, type ApprovalContent, approvalDigest } from "../domain/approval.ts";
import type { Change, Clock, NewId } from "../ports.ts";
import { openRequestOf } from "./projection/questions.ts";
import type { Projection } from "./projection.ts";

export type ApprovalDeps = { readonly clock: Clock; readonly new_id: NewId; readonly approval_ttl_ms: number };

/** Withdraws the last approval, unless it was decided. Those before it have been withdrawn already. */
export function withdrawn({ approvals }: Projection): Change[] {
  const open = openRequestOf(approvals);
  return open === null ? [] : [{ on: "approval", approval_id: open.approval_id, set: { status: "superseded" } }];
}

export const requested = ({ approval_id, kind, digest }: Approval) =>
  ({ kind: "approval_requested", body: { approval_id, kind, digest } }) as const;

export function newApproval(
  deps: ApprovalDeps,
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
  const what = `Version ${content.sop_version} asks for its ${kind === "promotion" ? "promotion" : "place in use"}`;
  if (content.replaces == null) return `${what}.`;
  return `${what}; it would replace version ${content.replaces}, which is in use.`;
}
