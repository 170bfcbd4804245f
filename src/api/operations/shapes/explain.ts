// explain: what would become of a contract.
import { z } from "zod";
import { SentContract } from "../../../domain/contract.ts";
import { Finding } from "../../../domain/finding.ts";
import { HeldBy } from "../../../domain/hold.ts";
import { PROOF_CLASSES } from "../../../domain/proof.ts";
import { BoundTool } from "../../../domain/script.ts";
import { SafetyLevel, SopLevel } from "../../../domain/sop.ts";
import { SentSteps } from "../../../domain/step.ts";
import { Ignored } from "../../../domain/unknown-fields.ts";
import { EXAMPLE } from "../example.ts";
import { type NamedSchemas, READ, shape } from "../operation.ts";

// A check that may prove nothing, or a call without one, as teach, import_sop and explain answer it.

export const CheckWarning = z.strictObject({
  step_index: z.int(),
  proof: z.enum(PROOF_CLASSES).describe("what the check is worth so far; a run in which it is red before can raise it"),
  reason: z.string(),
  mends: z
    .array(z.strictObject({ text: z.string(), why: z.string() }))
    .describe("texts that do the same and can fail, for patterns that are known"),
});

export const StepVerdict = z.strictObject({
  index: z.int(),
  kind: z.string(),
  command: z.string().describe("as it would be sent, with every parameter resolved"),
  polled: z.string().optional().describe("how long a check is polled, as in: polled for up to 60 s"),
  not_probed: z.string().optional().describe("why a check is not run before the change: it may change something"),
  reconcile: z.string().optional().describe("runs first where the outcome of the step is unknown"),
  idempotent: z.literal(true).optional().describe("it says that running it again has no further effect"),
  environment: z.record(z.string(), z.string()).describe("the variables of the contract that a shell step is given"),
  saw: z.array(z.string()).describe("the commands that policy saw in a shell step, with every word resolved"),
  tool: BoundTool.optional().describe("the tool that it calls, in its server's own words"),
  verdict: z.enum(["allow", "ask", "block"]),
  findings: z.array(Finding),
  model_would_be_asked: z.boolean(),
  files: z
    .array(z.strictObject({ path: z.string(), judged: z.boolean().describe("false: only its digest is covered") }))
    .optional()
    .describe("files that a shell step runs or applies; an approval covers each by its digest"),
  not_covered: z.array(z.string()).optional().describe("what a shell step runs and an approval does not cover"),
  ...Finding.pick({ change: true, consequences: true, blast: true }).shape,
});

const Explanation = z.strictObject({
  would: z.enum(["run", "ask", "ask_model", "block", "need_input"]),
  why: z
    .string()
    .nullable()
    .describe("the obstacle, where the findings of the steps do not show it; else the criteria that no check proves"),
  sop: z.strictObject({ sop_id: z.string(), version: z.int(), level: SopLevel, on_trial: z.boolean() }).nullable(),
  target_signature: z.string(),
  steps: z.array(StepVerdict),
  skip: z.string().nullable().describe("what skip_if_done would change; null where the contract does not ask for it"),
  runs_on: z.array(z.string()).nullable().describe("labels that its server must have; null where it runs anywhere"),
  queued_for: z.array(z.string()).nullable().describe("those of them that no live server has: it would wait"),
  verification: z
    .string()
    .nullable()
    .describe("how it is verified from outside once it is done; null where the contract does not say"),
  held_by_freeze: HeldBy.nullable().default(null).describe("a freeze that its task would wait for"),
  ignored: Ignored.optional(),
  warnings: z
    .array(CheckWarning)
    .describe("checks that could not be seen to fail; given steps are tried with try_checks only"),
});

export const explain = shape({
  name: "explain",
  summary: "Which SOP a contract would run, policy's verdict on each step, and the approvals it would ask for.",
  guidance: "Runs nothing and asks no one. Use it before submit_task or teach when you are unsure.",
  method: "POST",
  path: "/v1/explain",
  // It reads the scripts that the contract makes its steps run, as a submit would (D-265).
  scope: "submit",
  hints: READ,
  input: z.strictObject({
    contract: SentContract,
    steps: SentSteps.optional().describe("Judge these instead of the stored SOP."),
    safety_level: SafetyLevel.optional(),
    try_checks: z.boolean().optional().describe("Try given checks too."),
  }),
  output: Explanation,
  example: { contract: { task_id: EXAMPLE.task_id, ...EXAMPLE.contract }, steps: EXAMPLE.steps },
});

/** Records that the OpenAPI document names. */
export const EXPLAIN_SCHEMAS = {
  CheckWarning: [CheckWarning, "A check that was not seen to fail, and how to mend it."],
  Explanation: [Explanation, "What would become of a contract, without running it."],
} satisfies NamedSchemas;
