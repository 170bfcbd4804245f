// Defines the approval, which binds a decision to the exact content of its request [4.approve] [5.approval.flow], and what that content
// shows of a version that was taken out of use.
import { z } from "zod";
import { AgentStep, FileEdit } from "./agent-events.ts";
import { Labels, TaskContract } from "./contract.ts";
import { Finding } from "./finding.ts";
import { digestOf, JsonObject } from "./json.ts";
import { BoundTool, Script } from "./script.ts";
import { CriterionCheck, SafetyLevel, SopProof } from "./sop.ts";
import { Steps } from "./step.ts";
import { promotionThread } from "./thread-id.ts";
import { Verification } from "./verification.ts";

// What a human is shown of a version that was set back (D-294), and of the steps that a rollback brings back (D-293).

/** Older ones are in the evidence of their tasks. */
export const MOST_SHOWN = 20;

const Count = z.int().min(0);

/** Kept in approvals and journals, so it changes less than the record of a scorecard does. */
export const RecordOfVersion = z.strictObject({
  since: z.string().nullable().describe("its last approval, when only the runs after it count; null: all of them"),
  runs: Count.describe("that tried the procedure; a fault of an engine is none"),
  passed: Count,
  streak: Count.describe("failures since the last run that passed"),
  verified: Count.describe("DONE, and found right outside of orch"),
  refuted: Count.describe("DONE, and found wrong outside of orch"),
});
export type RecordOfVersion = z.infer<typeof RecordOfVersion>;

/** A version that was in use before, whose steps may be used again. */
const EarlierVersion = z.strictObject({ sop_id: z.string(), version: z.int() });

export const SetBack = z.strictObject({
  rule: z.enum(["refuted", "failing"]),
  why: z.string().describe("the rule with its numbers"),
  holds: z
    .boolean()
    .describe(
      "false when the record does not call for it any more: what was found was corrected, or other runs ended well",
    ),
  record: RecordOfVersion,
  refutations: z
    .array(z.strictObject({ task_id: z.string(), verification: Verification }))
    .describe(`what was found wrong outside of orch, newest first, at most ${MOST_SHOWN}`),
  failures: z
    .array(z.strictObject({ task_id: z.string(), ended_at: z.string(), reason_code: z.string() }))
    .describe(`its runs that failed, newest first, at most ${MOST_SHOWN}`),
  earlier: EarlierVersion.nullable().describe("the version in use before it, for rollback_sop"),
});
export type SetBack = z.infer<typeof SetBack>;

export const Rollback = z.strictObject({
  to: EarlierVersion.describe("whose steps it has"),
  from: EarlierVersion.nullable().describe("the version in use, or the one that was set back"),
  diff: SopProof.shape.diff.describe("from that version to this one, by step"),
  record: RecordOfVersion.describe("of the earlier version"),
});
export type Rollback = z.infer<typeof Rollback>;

export const APPROVAL_KINDS = ["plan", "promotion", "replacement", "skill", "agent"] as const;

/** The reason of the thread that waits for it. */
export const WAITS_FOR = {
  plan: "approval_required",
  promotion: "promotion_pending",
  replacement: "replacement_pending",
  skill: "approval_required",
  agent: "approval_required",
} as const satisfies Record<(typeof APPROVAL_KINDS)[number], string>;

export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "superseded"] as const;

const Tools = z
  .array(BoundTool)
  .optional()
  .describe("tools that are called, as their servers defined them: none of the definitions may change");

const RunsOn = Labels.optional().describe("runs on no other server than one with these labels");

/** A request for a procedure: to run it, to promote it, or to replace the active one. */
export const ProcedureContent = z.strictObject({
  intent: z.string(),
  target_signature: z.string(),
  sop_id: z.string().nullable().describe("null while the steps are not stored as an SOP yet"),
  sop_version: z.int().nullable(),
  steps: Steps,
  criteria: z.array(CriterionCheck),
  safety_level: SafetyLevel,
  preconditions: z.array(z.string()),
  findings: z.array(Finding),
  scripts: z
    .array(Script)
    .optional()
    .describe("files that the steps run, as they were judged: none of them may change"),
  tools: Tools,
  on_trial: z.literal(true).optional().describe("no run has proved the version on this target yet"),
  replaces: z.int().nullable().optional().describe("of a promotion: the version in use, which it would deprecate"),
  proof: SopProof.optional().describe("of a promotion or a replacement: what is known of the version"),
  set_back: SetBack.optional().describe("of a version that was in use and has lost its proof: why, and its record"),
  rollback: Rollback.optional().describe("of a version with the steps of an earlier one"),
  runs_on: RunsOn,
  contract: TaskContract.optional().describe(
    "what the steps are run for; absent where a procedure is stored and not run",
  ),
});
export type ProcedureContent = z.infer<typeof ProcedureContent>;

/** A request of a skill handler. */
export const SkillContent = z.strictObject({
  intent: z.string(),
  target_signature: z.string(),
  action: z.string().min(1).max(1024).describe("the action to approve, as a sentence"),
  details: z.array(z.string()).max(20_000).describe("every change that the action makes, one line each"),
  data: JsonObject.describe("the same in machine-readable form"),
  runs_on: RunsOn,
});
export type SkillContent = z.infer<typeof SkillContent>;

/** The calls of one reply of an agent that need an approval, each by its number in the run. */
export const AgentContent = z.strictObject({
  intent: z.string(),
  target_signature: z.string(),
  turn: z.int().min(1),
  calls: z.array(
    z.strictObject({
      index: z.int().min(0),
      step: AgentStep,
      edit: FileEdit.optional().describe("what a command that edits a file replaces in it"),
    }),
  ),
  findings: z.array(Finding),
  scripts: z
    .array(Script)
    .optional()
    .describe("files that the calls run, as they were judged: none of them may change"),
  tools: Tools,
  runs_on: RunsOn,
  contract: TaskContract.optional().describe("what the commands of the calls can read"),
});
export type AgentContent = z.infer<typeof AgentContent>;

/** The human sees all of it, and the digest covers all of it. Content that cannot be shown cannot be approved. */
export const ApprovalContent = z.union([ProcedureContent, SkillContent, AgentContent]);
export type ApprovalContent = z.infer<typeof ApprovalContent>;

export const Decision = z.strictObject({
  decision: z.enum(["approve", "reject"]),
  reason: z.string().max(4096).nullable(),
  decided_by: z.string().max(256).nullable().describe("who decided, as the caller states it"),
  token_id: z.string().nullable().describe("the token that sent the decision; null for expiry and for an inbox"),
});
export type Decision = z.infer<typeof Decision>;

export type Decided = Decision & { readonly status: "approved" | "rejected" | "expired" };

export const Approval = z.strictObject({
  approval_id: z.string(),
  thread_id: z.string().describe(`the task, or ${promotionThread("<sop_id>")}`),
  kind: z.enum(APPROVAL_KINDS),
  content: ApprovalContent,
  digest: z.string(),
  reason: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  interrupt_id: z.string().nullable(),
  expires_at: z.iso.datetime(),
  decision: Decision.nullable(),
  created_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
});
export type Approval = z.infer<typeof Approval>;

/** Until its thread waits for it, an approval cannot be decided. */
export const isAsked = ({ status, interrupt_id }: Pick<Approval, "status" | "interrupt_id">): boolean =>
  status !== "pending" || interrupt_id !== null;

export const approvalDigest = (content: ApprovalContent): string => digestOf(content);

/** The reason why a step does not run when its approval is rejected or has expired. */
export function refusalOf({ status, reason }: Pick<Decided, "status" | "reason">) {
  if (status === "expired")
    return { code: "approval_expired", message: "The approval expired before a decision." } as const;
  const detail = reason === null ? "" : `: ${reason}`;
  return { code: "approval_rejected", message: `The approval was rejected${detail}.` } as const;
}
