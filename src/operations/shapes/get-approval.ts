// get_approval: one approval with what a human needs beside its content to decide on it (D-340). look_at_approval: what is true on
// the target now (D-355).
import { z } from "zod";
import { Approval } from "../../domain/approval.ts";
import { Blast, Finding } from "../../domain/finding.ts";
import { SopRecord } from "../../domain/scorecard/record.ts";
import { SOP_STATUSES, Sop } from "../../domain/sop.ts";
import { SopProof } from "../../domain/sop-proof.ts";
import { EXAMPLE } from "../example.ts";
import { READ, shape } from "../operation.ts";
import { ApprovalId } from "./approvals.ts";
import { StepVerdict } from "./explain.ts";
import { TaskSummary } from "./task-view.ts";

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

export const KnownSop = Sop.pick({
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
