// Shapes of the operations on approvals, and of the inbox.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import { Limit, type NamedSchemas, READ, shape, type Tags, WaitSeconds } from "../../api/operations/operation.ts";
import { StepVerdict } from "../../api/operations/shapes/explain.ts";
import { TaskSummary, TaskView } from "../../api/operations/shapes/task-view.ts";
import {
  AgentContent,
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  Approval,
  Decision,
  ProcedureContent,
  SkillContent,
} from "../../domain/approval.ts";
import { TaskId } from "../../domain/contract.ts";
import { Blast, Finding } from "../../domain/finding.ts";
import { HeldBy } from "../../domain/hold.ts";
import { INBOX_RISKS } from "../../domain/inbox-order.ts";
import { NextAction } from "../../domain/next-action.ts";
import { LeftOut, Quarantined } from "../../domain/quarantine.ts";
import { SopRecord } from "../../domain/scorecard/record.ts";
import { SOP_STATUSES, Sop, SopProof } from "../../domain/sop.ts";
import { promotionThread } from "../../domain/thread-id.ts";

const ApprovalId = z.string().min(1).max(128).describe("The approval; list_approvals names them.");

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

const Change = Finding.shape.change.unwrap();

const ApprovalStep = StepVerdict.omit({ model_would_be_asked: true }).extend({
  command: z.string().describe("as the approval covers it"),
  preview: z.string().optional().describe("a command that shows what the step would do"),
  change: Change.describe("whether it changes something, as far as policy knows"),
  consequences: Finding.shape.consequences.unwrap(),
  blast: Blast.nullable().describe("null for a step that is no command"),
  proves: z.array(z.string()).describe("the criteria that the check proves"),
});
export type ApprovalStep = z.infer<typeof ApprovalStep>;

const Count = z.int().min(0);

export const Compared = z.strictObject({
  sop_id: z.string(),
  version: z.int(),
  status: z.enum(SOP_STATUSES),
  same: z.boolean().describe("the steps and the terms are those of that version"),
  diff: SopProof.shape.diff.unwrap().describe("from that version to this approval, by step"),
  terms: z
    .array(
      z.strictObject({
        is: z.enum(["added", "removed"]),
        of: z.enum(["criteria", "safety_level", "preconditions"]),
        text: z.string(),
      }),
    )
    .describe("what else differs: which criterion which check proves, the safety level, the preconditions"),
});
export type Compared = z.infer<typeof Compared>;

const KnownSop = Sop.pick({
  sop_id: true,
  version: true,
  status: true,
  level: true,
  trial_left: true,
  last_success_at: true,
  success_count: true,
  failure_count: true,
}).extend({ record: SopRecord });

export const getApproval = shape({
  name: "get_approval",
  summary:
    "One approval with what its steps change and reach, its difference to the last approved version, and its record.",
  method: "GET",
  path: "/v1/approvals/{approval_id}",
  scope: "read",
  hints: READ,
  no_tool: true,
  input: z.strictObject({ approval_id: ApprovalId }),
  output: z.strictObject({
    approval: Approval.describe("what is decided on, whole; approve takes its digest"),
    asked_by: z.string().describe("who asks, in a sentence"),
    steps: z.array(ApprovalStep).describe("of an agent the calls, by their number in the run; none of a skill"),
    counts: z.strictObject({ looks: Count, changes: Count, cannot_tell: Count }).describe("how many steps do what"),
    checks: z
      .array(SopProof.shape.checks.element)
      .describe(
        "what each check is worth; `now` is known where the approval was asked for with a look; look_at_approval looks anew",
      ),
    compared_with: Compared.nullable().describe(
      "the last version of the key that was approved, which is itself where it was set back; null without one",
    ),
    sop: KnownSop.nullable().describe("the version that it is about, with its record"),
    task: TaskSummary.nullable().describe("the task that waits for it; null for a promotion"),
  }),
  example: { approval_id: EXAMPLE.approval_id },
});

export const lookAtApproval = shape({
  name: "look_at_approval",
  summary:
    "Run the checks and previews of what an approval covers on its target now, and no step that changes something.",
  method: "POST",
  path: "/v1/approvals/{approval_id}/look",
  scope: "submit",
  // Who decides on it has to see what is true now.
  or_scope: "approve",
  hints: { read_only: false, destructive: false, idempotent: true },
  no_tool: true,
  input: z.strictObject({ approval_id: ApprovalId }),
  output: z.strictObject({
    looked_at: z.iso.datetime(),
    steps: SopProof.shape.steps.describe("whether each changes something, and what its preview printed"),
    checks: SopProof.shape.checks.describe("what each check is worth, and what it answers now"),
    warnings: z.array(z.string()).describe("why something was not looked at"),
  }),
  example: { approval_id: EXAMPLE.approval_id },
});

const INBOX_KINDS = [...APPROVAL_KINDS, "teaching", "resolution", "parked", "verification"] as const;

const InboxItem = z.strictObject({
  kind: z
    .enum(INBOX_KINDS)
    .describe(
      "teaching: steps are unknown; resolution: the outcome of a step is unknown; parked: servers crashed in it again and again, or its skill cannot be used; verification: done, and not verified from outside in time; otherwise an approval",
    ),
  risk: z
    .enum(INBOX_RISKS)
    .describe(
      "set_back: a version that was in use and has lost its proof; changes, cannot_tell, looks: what the approved steps do",
    ),
  thread_id: z.string().describe("the task, or the thread of a promotion"),
  approval_id: z.string().nullable(),
  intent: z.string(),
  target_signature: z.string(),
  text: z.string().describe("what is asked, in a sentence"),
  since: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable().describe("of an approval: after that it is refused"),
  next: z.array(NextAction).describe("how to answer, best first"),
});
export type InboxItem = z.infer<typeof InboxItem>;

export const listInbox = shape({
  name: "list_inbox",
  summary:
    "Everything that waits for the supervisor: approvals, tasks to teach, unknown outcomes and owed checks, riskiest first.",
  guidance:
    "Use it when you come back: each item says what is asked and how to answer. list_messages has what ended; this has what waits.",
  method: "GET",
  path: "/v1/inbox",
  scope: "read",
  hints: READ,
  input: z.strictObject({ limit: Limit }),
  output: z.strictObject({
    items: z.array(InboxItem),
    more: z.boolean().describe("more wait than the limit shows; answering these shows them"),
    frozen: z.array(HeldBy).default([]).describe("what lets nothing start now: open freezes, and a window by calendar"),
    quarantined: z.array(Quarantined).describe("records that cannot be read: an operator has to mend them"),
    notices: z.array(z.string()).default([]).describe("what goes wrong on this server without a question to anyone"),
  }),
  example: { limit: 20 },
});

/** In no order: the order of all operations is in src/api/operations/shapes.ts. */
export const APPROVAL_SHAPES = [approve, listApprovals, getApproval, lookAtApproval, listInbox] as const;

/** Records that the OpenAPI document names. */
export const APPROVAL_SCHEMAS = {
  Approval: [Approval, "A question to a human: what would be done, bound by its digest, and the decision."],
  Decision: [Decision, "What a human decided, and through which token."],
  ProcedureContent: [ProcedureContent, "What an approval of a plan, a promotion or a replacement covers."],
  SkillContent: [SkillContent, "What an approval that a skill asked for covers."],
  AgentContent: [AgentContent, "What an approval of an agent's calls covers."],
  ComparedVersion: [Compared, "The last approved version of a key, and how an approval differs from it."],
  SopWithRecord: [KnownSop, "A version with its record, as an approval shows it."],
} satisfies NamedSchemas;

/** By the first part of the path. */
export const APPROVAL_TAGS: Tags = {
  approve: ["Approvals", "What a human decides."],
  approvals: ["Approvals", "What a human decides."],
};
