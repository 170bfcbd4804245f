// approve and list_approvals.
import type { Approval } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import type { NextAction } from "../domain/next-action.ts";
import { decide } from "./decide.ts";
import type { OperationDeps } from "./deps.ts";
import type { OperationHandler } from "./operation.ts";
import type { approve, listApprovals } from "./shapes/approvals.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { prepared, settled } from "./wait.ts";

export const handleApprove: OperationHandler<typeof approve> =
  (deps) =>
  async ({ decision, digest, reason = null, decided_by = null, wait_seconds, ...which }, { token_id, signal }) => {
    const approval = await approvalOf(deps, which, signal);
    if (digest !== undefined && digest !== approval.digest) {
      throw new OrchError("digest_mismatch", "The digest is not that of this approval.", {
        fix: "Read it again.",
        current: approval,
      });
    }
    const decided = await decide(deps, approval, { decision, reason, decided_by, token_id });
    if (decided.kind === "promotion") return { ...decided, task: null, next: [SEE_MESSAGES] };
    const task_id = decided.thread_id;
    const task = await settled(deps, task_id, { wait_seconds, signal });
    const view = await viewOf(deps, task ?? (await taskOf(deps, task_id)));
    return { ...decided, task: view, next: view.next };
  };

const SEE_MESSAGES: NextAction = {
  operation: "list_messages",
  arguments: {},
  text: "See in the messages what became of the SOP.",
};

type Which = { readonly approval_id?: string | undefined; readonly task_id?: string | undefined };

async function approvalOf(deps: OperationDeps, which: Which, signal: AbortSignal): Promise<Approval> {
  const approval = await findApproval(deps, which);
  return (await prepared(deps, approval, signal)) ?? approval;
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
  const all = await store.listApprovals({ thread_id: task_id, status: "pending", limit: 20 });
  const pending = all.some(isShown) ? all.filter(isShown) : all;
  const [only] = pending;
  if (only !== undefined && pending.length === 1) return only;
  if (only !== undefined) {
    const shown = pending.map(({ approval_id, thread_id, kind, reason }) => ({ approval_id, thread_id, kind, reason }));
    throw new OrchError("approval_ambiguous", "Several approvals are pending.", {
      fix: "Give an approval_id.",
      current: shown,
    });
  }
  const last =
    task_id === undefined ? undefined : (await store.listApprovals({ thread_id: task_id, limit: 500 })).at(-1);
  if (last !== undefined) return last;
  throw new OrchError("approval_not_found", "No approval is pending.");
}

export const handleListApprovals: OperationHandler<typeof listApprovals> = (deps) => async (query) => {
  const approvals = await deps.store.listApprovals(query);
  const next_after = approvals.length === query.limit ? (approvals.at(-1)?.approval_id ?? null) : null;
  return { approvals: approvals.filter(isShown), next_after };
};

// Until its thread waits for it, an approval cannot be decided.
const isShown = ({ status, interrupt_id }: Approval): boolean => status !== "pending" || interrupt_id !== null;
