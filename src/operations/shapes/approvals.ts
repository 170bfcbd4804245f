// approve and list_approvals.
import { z } from "zod";
import { APPROVAL_STATUSES, Approval } from "../../domain/approval.ts";
import { TaskId } from "../../domain/contract.ts";
import { NextAction } from "../../domain/next-action.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import { Limit, READ, shape, WaitSeconds } from "../operation.ts";
import { TaskView } from "./task-view.ts";

const ApprovalId = z.string().min(1).max(128);

export const approve = shape({
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
    next: z.array(NextAction).describe("what the supervisor may do now, best first"),
  }),
});

export const listApprovals = shape({
  name: "list_approvals",
  summary: "Approvals with everything they cover, oldest first.",
  method: "GET",
  path: "/v1/approvals",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    status: z.enum(APPROVAL_STATUSES).optional(),
    thread_id: z
      .string()
      .max(256)
      .optional()
      .describe(`a task_id, or ${promotionThread("<sop_id>")}`),
    limit: Limit,
    after: ApprovalId.optional(),
  }),
  output: z.strictObject({ approvals: z.array(Approval), next_after: z.string().nullable() }),
});
