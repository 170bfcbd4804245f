// The proof of a stored procedure on its target (D-200): what a human sees before a version becomes active. It follows from what
// has run, from what its checks answer now, and from the text; no step that changes something is run for it.
import { z } from "zod";
import { CheckProof, Look } from "./proof.ts";
import { SopLevel } from "./sop.ts";

const StepIndex = z.int().min(0);

const RunOfSop = z.strictObject({
  task_id: z.string(),
  ended_at: z.string().nullable(),
  passed: z.boolean(),
  checks: z.array(
    z.strictObject({
      step_index: StepIndex,
      passed: z.boolean(),
      class: CheckProof.shape.class.nullable(),
      seen_red: CheckProof.shape.seen_red,
      change: CheckProof.shape.change.nullable(),
    }),
  ),
  verified: z
    .boolean()
    .nullable()
    .describe("what the supervisor found outside of orch; null where it recorded nothing"),
});

const CheckOfSop = z.strictObject({
  step_index: StepIndex,
  criterion: z.string().nullable(),
  class: CheckProof.shape.class.nullable().describe("null where looks are switched off"),
  seen_red: CheckProof.shape.seen_red,
  reason: z.string().nullable().describe("why it is not proved"),
  now: Look.shape.answer.nullable().describe("its answer on the target now; null where it was not run"),
});

const PreviewOfStep = z.strictObject({
  exit_code: z.int().nullable(),
  output: z.string().describe("redacted; the head and the tail of a longer one, 8 KiB each"),
  obstacle: z.string().nullable().describe("why it was not run, or did not end"),
});

export const StepDifference = z.strictObject({
  is: z.enum(["added", "removed"]),
  step_index: StepIndex,
  step: z.string(),
});

export const SopProof = z.strictObject({
  level: SopLevel,
  proved_on: z.string().nullable(),
  warnings: z.array(z.string()),
  steps: z.array(
    z.strictObject({
      step_index: StepIndex,
      change: z
        .enum(["looks", "changes", "cannot_tell"])
        .describe("whether it changes something, as far as policy knows"),
      preview: PreviewOfStep.nullable().describe("what the preview of the step printed; null where it has none"),
    }),
  ),
  checks: z.array(CheckOfSop),
  runs: z.array(RunOfSop).describe("newest first"),
  compared_to: z.int().nullable().describe("the version in use that the difference is to"),
  diff: z.array(StepDifference).nullable().describe("to the active version, by step; null where no version is active"),
});
export type SopProof = z.infer<typeof SopProof>;
