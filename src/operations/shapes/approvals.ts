// approve and list_approvals.
import { z } from "zod";
import { APPROVAL_STATUSES, Approval } from "../../domain/approval.ts";
import { TaskId } from "../../domain/contract.ts";
import { NextAction } from "../../domain/next-action.ts";
import { LeftOut } from "../../domain/quarantine.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import { EXAMPLE } from "../example.ts";
import { Limit, READ, shape, WaitSeconds } from "../operation.ts";
import { TaskView } from "./task-view.ts";

export const ApprovalId = z.string().min(1).max(128).describe("The approval; list_approvals names them.");

export const PromotionOutcome = z.strictObject({
  sop_id: z.string(),
  version: z.int(),
  in_use: z.boolean().describe("whether tasks run this version now"),
  message: z.string().describe("one sentence for the human who decided"),
});

export const approve = shape({
  name: "approve",
  summary: "Decide on a pending approval, named by its id or by the task that waits for it.",
  guidance:
    "Only after a human has seen the whole approval (list_approvals shows it) and has decided: never decide on your own. " +
    "Give approval_id, or the task_id that waits, and the digest that was shown, so that nothing else is approved. " +
    "Without either nothing is decided, and the answer lists what waits. The first decision is final.",
  method: "POST",
  path: "/v1/approve",
  scope: "approve",
  hints: { read_only: false, destructive: true, idempotent: true },
  input: z.strictObject({
    decision: z.enum(["approve", "reject"]).describe("What the human decided."),
    approval_id: ApprovalId.optional().describe("The approval; list_approvals names them. This or task_id is needed."),
    task_id: TaskId.optional().describe("Instead of approval_id: the task that waits."),
    digest: z.string().max(128).optional().describe("The digest that the human was shown; any other is refused."),
    reason: z.string().max(4096).optional().describe("The human's reason."),
    decided_by: z.string().max(256).optional().describe("The human's name."),
    wait_seconds: WaitSeconds,
  }),
  output: Approval.extend({
    task: TaskView.nullable().describe("the task that goes on; null for a promotion"),
    promotion: PromotionOutcome.optional().describe("of a promotion: whether its version is in use now"),
    next: z.array(NextAction).describe("what the supervisor may do now, best first"),
  }),
  example: {
    approval_id: EXAMPLE.approval_id,
    decision: "approve",
    digest: EXAMPLE.digest,
    decided_by: "Ada",
    reason: "as agreed",
    wait_seconds: 20,
  },
});

export const listApprovals = shape({
  name: "list_approvals",
  summary: "Approvals with everything they cover, oldest first.",
  guidance: "content holds every step, or every call of an agent, in full: show all of it to the human who decides.",
  method: "GET",
  path: "/v1/approvals",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    status: z.enum(APPROVAL_STATUSES).optional().describe("Only these; pending ones wait for a decision."),
    thread_id: z
      .string()
      .max(256)
      .optional()
      .describe(`Only of this task_id, or of ${promotionThread("<sop_id>")}.`),
    limit: Limit,
    after: ApprovalId.optional().describe("next_after of the page before."),
  }),
  output: z.strictObject({ approvals: z.array(Approval), next_after: z.string().nullable(), quarantined: LeftOut }),
  example: { status: "pending", limit: 20 },
});
