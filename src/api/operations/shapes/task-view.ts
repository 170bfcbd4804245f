// A task as the supervisor sees it: status, outcome, steps without their output, what it waits for and what to do next.
import { z } from "zod";
import { Target } from "../../../domain/contract.ts";
import { HeldBy } from "../../../domain/hold.ts";
import { JsonValue } from "../../../domain/json.ts";
import { NextAction } from "../../../domain/next-action.ts";
import { OutcomeView, TASK_STATUSES } from "../../../domain/outcome.ts";
import { CheckProof } from "../../../domain/proof.ts";
import { JobWait } from "../../../domain/run-request.ts";
import { SkillProgress } from "../../../domain/skill.ts";
import { STEP_STATUSES } from "../../../domain/step.ts";
import { Waiting } from "../../../domain/task.ts";
import { Ignored } from "../../../domain/unknown-fields.ts";
import { Verdict, Verification } from "../../../domain/verification.ts";
import type { NamedSchemas } from "../operation.ts";

/** In the order in which they are looked for. */
const WAITING_FOR = ["freeze", "target", "labels", "server", "slot"] as const;

export const TaskSummary = z.strictObject({
  task_id: z.string(),
  status: z.enum(TASK_STATUSES),
  label: z.string().describe("the specification's word for the status: DONE, NEED_APPROVAL, BLOCKED ..."),
  intent: z.string(),
  target: Target,
  target_signature: z.string(),
  delegation_mode: z.string(),
  outcome: OutcomeView.nullable(),
  waiting: Waiting.nullable(),
  next: z.array(NextAction).describe("what the supervisor may do now, best first"),
  waiting_for: z
    .enum(WAITING_FOR)
    .nullable()
    .default(null)
    .describe("what holds it up while it is to run; null where nothing does"),
  waiting_text: z.string().nullable().default(null).describe("the same in one sentence, which names the holder"),
  queued_behind: z.string().nullable().describe("the task that holds the target"),
  held_by_freeze: HeldBy.nullable()
    .default(null)
    .describe("a freeze: it has not begun, and starts by itself once that is over"),
  queued_for: z.array(z.string()).nullable().describe("the labels that it needs and no live server has"),
  needs_level: z
    .int()
    .nullable()
    .default(null)
    .describe("the journal_level that it needs of a server, where no live one has it"),
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  backend: z.string(),
  runs_on: z.array(z.string()).nullable().describe("labels that its server must have; null where it runs anywhere"),
  verification: Verification.omit({ evidence: true }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  ended_at: z.string().nullable(),
});
export type TaskSummary = z.infer<typeof TaskSummary>;

/** A check with what it is worth: two statements, whether it can fail, and whether its answer changed. */
const ShownCheck = Verdict.shape.checks.element.omit({ proof: true }).extend({
  proof: CheckProof.shape.class.nullable().describe("null where nothing was looked at, or the check failed"),
  seen_red: CheckProof.shape.seen_red,
  change: CheckProof.shape.change.nullable(),
  reason: CheckProof.shape.reason,
});

/** Null in it is what the contract does not order, or what is not known before the end. */
const VerifyPlan = z.strictObject({
  by: z.string().nullable().describe("the procedure that verifies it, as sop:<intent>"),
  task_id: z.string().nullable().describe("the diagnostic task in which it does"),
  at: z.iso.datetime().nullable().describe("when that task is submitted"),
  owed_since: z.iso.datetime().nullable().describe("unverified after this time, it waits in the inbox"),
  missed: z.string().nullable().describe("why the procedure gave no verdict"),
});

export const TaskView = TaskSummary.extend({
  steps: z.array(
    z.strictObject({
      index: z.int(),
      kind: z.string(),
      command: z.string(),
      status: z.enum([...STEP_STATUSES, "pending", "running"]),
      attempt: z.int().nullable(),
      exit_code: z.int().nullable(),
      duration_ms: z.number().nullable(),
      late_result: z
        .string()
        .nullable()
        .default(null)
        .describe("what the server that has lost the step says of its end, while its outcome is unknown"),
    }),
  ),
  checks: z.array(ShownCheck).describe("of the verdict; empty while there is none"),
  verification: Verification.nullable(),
  verify: VerifyPlan.nullable().describe(
    "how the contract wants it verified once it is done; null where it does not say",
  ),
  waits_for: JobWait.extend({ tries: z.int().describe("how often it was asked since then") })
    .nullable()
    .describe("what holds the job on the flow engine up; null while it goes on"),
  progress: SkillProgress.nullable().describe("how far a skill has come, in its own words"),
  result: JsonValue.nullable().describe("what a skill found or did, or an agent says of it"),
  ignored: Ignored.optional(),
});
export type TaskView = z.infer<typeof TaskView>;

/** Records that the OpenAPI document names. */
export const TASK_SCHEMAS = {
  Task: [TaskView, "A task: what was asked for, how far it is, how it ended or what it waits for."],
  TaskSummary: [TaskSummary, "A task as a row of a list: without its steps."],
  Waiting: [Waiting, "What a paused task waits for; interrupt_id names the one question that an answer may resume."],
  Verdict: [Verdict, "Which success criteria were met, and what each check is worth."],
  Outcome: [OutcomeView, "How a task ended or why it waits, and what may be done next."],
  NextAction: [NextAction, "What the supervisor may do next: an operation and what is known of its input."],
} satisfies NamedSchemas;
