// Requests and withdraws an approval in the journal [5.approval.flow], and gives the time by which approvals expire.
import { type Approval, type ApprovalContent, approvalDigest } from "../domain/approval.ts";
import type { Change } from "../domain/change.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { SetBack } from "../domain/set-back.ts";
import { ignoredFields } from "../domain/unknown-fields.ts";
import { openRequestOf } from "../features/approvals/fold.ts";
import type { Clock, NewId, Servers } from "../ports.ts";
import type { Projection } from "./projection.ts";
import { unreadToolsText } from "./run-from-outside.ts";

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

/** The human sees which tools it does not cover, and which fields of the contract do nothing. */
export function approvalOfTask(
  deps: ApprovalDeps,
  contract: TaskContract,
  kind: Approval["kind"],
  content: ApprovalContent,
): Approval {
  const approval = newApproval(deps, contract.task_id, kind, content);
  const ignored = ignoredFields(contract);
  const unread = unreadToolsText("tools" in content ? (content.tools ?? []) : []).trim();
  const notes = [unread, ignored === null ? "" : `Other fields of the contract are ${ignored}.`].filter(Boolean);
  if (notes.length === 0) return approval;
  const reasons = approval.reason === "" ? notes : [asSentence(approval.reason), ...notes];
  return { ...approval, reason: reasons.join(" ") };
}

function reasonOf(kind: Approval["kind"], content: ApprovalContent): string {
  if ("action" in content) return content.action;
  if (kind === "plan" || !("steps" in content))
    return [...new Set(content.findings.map(({ reason }) => asSentence(reason)))].join(" ");
  const { sop_version, replaces, set_back, rollback } = content;
  if (set_back !== undefined) return ofSetBack(sop_version, set_back, replaces);
  const what = `Version ${sop_version} asks for its ${kind === "promotion" ? "promotion" : "place in use"}`;
  const steps = rollback === undefined ? what : `${what}, with the steps of version ${rollback.to.version}`;
  if (replaces == null) return `${steps}.`;
  return `${steps}; it would replace version ${replaces}${kind === "promotion" ? ", which is in use" : ""}.`;
}

/** A finding is a part of a sentence, or a whole one. */
const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

function ofSetBack(version: number | null, { why, holds }: SetBack, replaces: number | null | undefined): string {
  const corrected = holds ? "" : " Its record does not call for that any more.";
  const instead = replaces == null ? "" : ` It would replace version ${replaces}, which is in use.`;
  return `Version ${version} was set back (${why}) and asks to be used again.${corrected}${instead}`;
}

/**
 * The time by which approvals expire, which has to be the same on every server: that of the database, as this server measures its own
 * clock against it with each lease (D-403).
 */
export const expiryClock =
  ({ clock, servers }: { readonly clock: Clock; readonly servers: Pick<Servers, "aheadMs"> }): Clock =>
  () =>
    new Date(clock().getTime() - servers.aheadMs());
