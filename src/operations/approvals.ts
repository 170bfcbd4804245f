// approve and list_approvals.
import { type Approval, isAsked } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import type { NextAction } from "../domain/next-action.ts";
import { beginningOf } from "../domain/verification.ts";
import { decide } from "./decide.ts";
import type { OperationDeps } from "./deps.ts";
import { leftOut } from "./left-out.ts";
import { invalidInput, type OperationHandler } from "./operation.ts";
import { isPromotion, promotionOutcome, refuseOutdated } from "./promotion-outcome.ts";
import type { approve, listApprovals } from "./shapes/approvals.ts";
import { viewAfterWait } from "./task-view.ts";
import { PREPARATION_SECONDS, prepared } from "./wait.ts";

export const handleApprove: OperationHandler<typeof approve> =
  (deps) =>
  async ({ decision, digest, reason = null, wait_seconds, ...given }, { token_id, at_console, signal }) => {
    const { decided_by: stated = null, ...which } = given;
    // At the console it is the name of the session, or none, and what was shown.
    const decided_by = at_console === undefined ? stated : at_console.name;
    if (at_console !== undefined && digest === undefined)
      throw invalidInput({ name: "approve" }, [
        { path: "digest", message: "is needed from the console: what was shown" },
      ]);
    const approval = await approvalOf(deps, which, signal);
    if (digest !== undefined && digest !== approval.digest) {
      throw new OrchError("digest_mismatch", "The digest is not that of this approval.", {
        fix: "Read it again.",
        current: approval,
      });
    }
    if (isPromotion(approval) && (decision === "approve" || approval.status === "superseded"))
      await refuseOutdated(deps, approval, signal);
    const decided = await decide(deps, approval, { decision, reason, decided_by, token_id });
    if (isPromotion(decided)) {
      // The next task of the caller finds the version in use.
      const promotion = await promotionOutcome(deps, decided, signal);
      return { ...decided, task: null, promotion, next: [seeVersion(promotion.sop_id)] };
    }
    const patience = decided.kind === "replacement" ? Math.max(wait_seconds, PREPARATION_SECONDS) : wait_seconds;
    const task = await viewAfterWait(deps, decided.thread_id, { wait_seconds: patience, signal });
    return { ...decided, task, next: task.next };
  };

const seeVersion = (sop_id: string): NextAction => ({
  operation: "get_sop",
  arguments: { sop_id },
  text: "See the version and its record.",
});

type Which = { readonly approval_id?: string | undefined; readonly task_id?: string | undefined };

async function approvalOf(deps: OperationDeps, which: Which, signal: AbortSignal): Promise<Approval> {
  const approval = await findApproval(deps, which);
  return (await prepared(deps, approval, signal)) ?? approval;
}

const MOST_LISTED = 20;
const LONGEST_REASON = 300;

/** A decision is about what a human has seen, so it names that: another approval may wait by now. */
function unnamed(pending: readonly Approval[]): OrchError {
  const waits = pending.length === 1 ? "one is pending" : "several are pending";
  const current = pending.map(({ approval_id, thread_id, kind, reason }) => ({
    approval_id,
    thread_id,
    kind,
    reason: beginningOf(reason, LONGEST_REASON),
  }));
  const fix = "Give the approval_id that the human has seen, or the task_id of the task that waits.";
  return new OrchError("approval_ambiguous", `The decision does not name its approval, and ${waits}.`, {
    fix,
    current,
  });
}

async function findApproval({ store }: OperationDeps, { approval_id, task_id }: Which): Promise<Approval> {
  if (approval_id !== undefined) {
    const approval = await store.findApproval(approval_id);
    if (approval !== null && (task_id === undefined || approval.thread_id === task_id)) return approval;
    throw new OrchError(
      "approval_not_found",
      `There is no approval ${approval_id}${task_id === undefined ? "" : ` of task ${task_id}`}.`,
    );
  }
  const all = await store.listApprovals({ thread_id: task_id, status: "pending", limit: MOST_LISTED });
  const pending = all.some(isAsked) ? all.filter(isAsked) : all;
  const [only] = pending;
  if (only !== undefined && pending.length === 1 && task_id !== undefined) return only;
  if (only !== undefined) throw unnamed(pending);
  const last =
    task_id === undefined ? undefined : (await store.listApprovals({ thread_id: task_id, limit: 500 })).at(-1);
  if (last !== undefined) return last;
  throw new OrchError("approval_not_found", "No approval is pending.");
}

export const handleListApprovals: OperationHandler<typeof listApprovals> = (deps) => async (query) => {
  const approvals = await deps.store.listApprovals(query);
  const next_after = approvals.length === query.limit ? (approvals.at(-1)?.approval_id ?? null) : null;
  return { approvals: approvals.filter(isAsked), next_after, quarantined: leftOut(deps, "approval") };
};
