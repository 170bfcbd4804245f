// approve and list_approvals (spec section 4, orch__approve). A decision is a POST by someone who holds the scope.
import { z } from "zod";
import { APPROVAL_STATUSES, Approval } from "../domain/approval.ts";
import { TaskId } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { decide } from "./decide.ts";
import type { OperationDeps } from "./deps.ts";
import { Limit, operation, READ } from "./operation.ts";
import { TaskView, taskOf, viewOf } from "./task-view.ts";
import { prepared, settled, WaitSeconds } from "./wait.ts";

const ApprovalId = z.string().min(1).max(128);

export const approve = operation({
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
    wait_seconds: WaitSeconds,
  }),
  output: Approval.extend({
    task: TaskView.nullable().describe("the task that goes on; null for a promotion"),
    next: z.string().describe("what the supervisor may do now"),
  }),
  handle:
    (deps) =>
    async ({ decision, digest, reason = null, decided_by = null, wait_seconds, ...which }, { token_id, signal }) => {
      const approval = await meant(deps, which, signal);
      if (digest !== undefined && digest !== approval.digest) {
        throw new OrchError("digest_mismatch", "The digest is not that of this approval; read it again.", {
          current: approval,
        });
      }
      const decided = await decide(deps, approval, { decision, reason, decided_by, token_id });
      if (decided.kind === "promotion")
        return { ...decided, task: null, next: "see list_messages for what became of the SOP" };
      const task_id = decided.thread_id;
      const task = await settled(deps, task_id, { wait_seconds, signal });
      const view = await viewOf(deps, task ?? (await taskOf(deps, task_id)));
      return { ...decided, task: view, next: view.next };
    },
});

type Which = { readonly approval_id?: string | undefined; readonly task_id?: string | undefined };

async function meant(deps: OperationDeps, which: Which, signal: AbortSignal): Promise<Approval> {
  const approval = await named(deps, which);
  return (await prepared(deps, approval, signal)) ?? approval;
}

async function named({ store }: OperationDeps, { approval_id, task_id }: Which): Promise<Approval> {
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
    throw new OrchError("approval_ambiguous", "Several approvals are pending; give an approval_id.", {
      current: shown,
    });
  }
  const last =
    task_id === undefined ? undefined : (await store.listApprovals({ thread_id: task_id, limit: 500 })).at(-1);
  if (last !== undefined) return last;
  throw new OrchError("approval_not_found", "No approval is pending.");
}

export const listApprovals = operation({
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
  handle: (deps) => async (query) => {
    const approvals = await deps.store.listApprovals(query);
    const next_after = approvals.length === query.limit ? (approvals.at(-1)?.approval_id ?? null) : null;
    return { approvals: approvals.filter(isShown), next_after };
  },
});

// Until its thread waits for it, an approval cannot be decided.
const isShown = ({ status, interrupt_id }: Approval): boolean => status !== "pending" || interrupt_id !== null;
