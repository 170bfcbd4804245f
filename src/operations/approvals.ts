// approve and list_approvals (spec section 4, orch__approve). A decision is a POST by someone who holds the scope.
import { z } from "zod";
import { APPROVAL_STATUSES, Approval } from "../domain/approval.ts";
import { TaskId } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { decide } from "./decide.ts";
import type { OperationDeps } from "./deps.ts";
import { Limit, operation, READ } from "./operation.ts";

const ApprovalId = z.string().min(1).max(128);

export const approve = (deps: OperationDeps) =>
  operation({
    name: "approve",
    summary: "Decide on a pending approval. With exactly one pending, the id may be left out.",
    method: "POST",
    path: "/v1/approve",
    scope: "approve",
    hints: { read_only: false, destructive: true, idempotent: true },
    input: z.strictObject({
      decision: z.enum(["approve", "reject"]),
      approval_id: ApprovalId.optional(),
      task_id: TaskId.optional(),
      digest: z.string().max(128).optional().describe("must match the digest that was shown, when given"),
      reason: z.string().max(4096).optional(),
      decided_by: z.string().max(256).optional(),
    }),
    output: Approval,
    handle: async ({ decision, digest, reason = null, decided_by = null, ...which }) => {
      const approval = await meant(deps, which);
      if (digest !== undefined && digest !== approval.digest) {
        throw new OrchError("digest_mismatch", "The digest is not that of this approval; read it again.", {
          current: approval,
        });
      }
      return decide(deps, approval, { decision, reason, decided_by });
    },
  });

type Which = { readonly approval_id?: string | undefined; readonly task_id?: string | undefined };

async function meant({ store }: OperationDeps, { approval_id, task_id }: Which): Promise<Approval> {
  if (approval_id !== undefined) {
    const approval = await store.findApproval(approval_id);
    if (approval !== null && (task_id === undefined || approval.thread_id === task_id)) return approval;
    throw new OrchError(
      "approval_not_found",
      `There is no approval ${approval_id}${task_id === undefined ? "" : ` of task ${task_id}`}.`,
    );
  }
  const pending = await store.listApprovals({ thread_id: task_id, status: "pending", limit: 20 });
  const [only] = pending;
  if (only !== undefined && pending.length === 1) return only;
  if (only !== undefined) {
    const shown = pending.map(({ approval_id, thread_id, kind, reason }) => ({ approval_id, thread_id, kind, reason }));
    throw new OrchError("approval_ambiguous", "Several approvals are pending; give an approval_id.", {
      current: shown,
    });
  }
  const last =
    task_id === undefined ? undefined : (await store.listApprovals({ thread_id: task_id, limit: 500 })).at(-1);
  if (last !== undefined) return last;
  throw new OrchError("approval_not_found", "No approval is pending.");
}

export const listApprovals = (deps: OperationDeps) =>
  operation({
    name: "list_approvals",
    summary: "Approvals with everything they cover, oldest first.",
    method: "GET",
    path: "/v1/approvals",
    scope: "read",
    hints: READ,
    input: z.strictObject({
      status: z.enum(APPROVAL_STATUSES).optional(),
      thread_id: z.string().max(256).optional().describe("a task_id, or promotion/<sop_id>"),
      limit: Limit,
      after: ApprovalId.optional(),
    }),
    output: z.strictObject({ approvals: z.array(Approval), next_after: z.string().nullable() }),
    handle: async (query) => {
      const approvals = await deps.store.listApprovals(query);
      const more = approvals.length === query.limit;
      return { approvals, next_after: more ? (approvals.at(-1)?.approval_id ?? null) : null };
    },
  });
