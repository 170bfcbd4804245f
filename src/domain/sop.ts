// Defines the stored procedure: its record, its origin, the rules for teaching one [4.teach], the digest of its steps, and the proof that a
// human reads before a version becomes active (D-200).
import { z } from "zod";
import { Intent, Target } from "./contract.ts";
import { type Coverage, coverByChecks } from "./cover-by-checks.ts";
import { digestOf } from "./json.ts";
import { CheckProof, Look } from "./proof.ts";
import { isCheck, SentSteps, type Step, Steps } from "./step.ts";

export const SOP_STATUSES = ["candidate", "active", "deprecated"] as const;

/** What is known of a version on its target: defined, its checks were tried there, or a run there was proved (D-200). */
export const SopLevel = z.enum(["defined", "tried", "proved"]);
export type SopLevel = z.infer<typeof SopLevel>;

export const SafetyLevel = z
  .enum(["standard", "approval_required"])
  .describe("approval_required: a human approves every run.");

const Note = z.string().min(1).max(1024);

/** Maps a success criterion to the check step that proves it. */
export const CriterionCheck = z.strictObject({ criterion: z.string().min(1).max(1024), step_index: z.int().min(0) });
export type CriterionCheck = z.infer<typeof CriterionCheck>;

export const Sop = z.strictObject({
  sop_id: z.uuid(),
  intent: Intent,
  target_signature: z.string(),
  target: Target,
  status: z.enum(SOP_STATUSES),
  version: z.int().min(1),
  steps: Steps,
  criteria: z.array(CriterionCheck),
  safety_level: SafetyLevel,
  preconditions: z.array(Note).max(50).describe("notes for the supervisor, not evaluated by orch"),
  steps_digest: z.string(),
  level: SopLevel.describe("what is known of it on this target"),
  proved_on: z.string().nullable().describe("the other target on which the procedure was proved that it is a copy of"),
  trial_left: z
    .int()
    .min(0)
    .describe(
      "runs in use that ask for an approval first, and give way to the version before when they are not proved",
    ),
  replaced_sop_id: z.uuid().nullable().describe("the version that was active before it"),
  promotion_round: z.int().min(1).describe("1 for its first promotion; each time that it is set back begins another"),
  record_since: z.iso.datetime().nullable().describe("only runs that ended later count for it; null: all"),
  origin: z.string().describe("the task that proved the procedure, or another source of it"),
  last_success_at: z.iso.datetime().nullable(),
  success_count: z.int().min(0),
  failure_count: z.int().min(0),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Sop = z.infer<typeof Sop>;

export type SopMoves = Partial<
  Pick<Sop, "status" | "level" | "trial_left" | "replaced_sop_id" | "promotion_round" | "record_since">
>;

/** What a supervisor sends to define a procedure. `criteria` maps a criterion to the index of its check step. */
export const SopDefinition = z.strictObject({
  steps: SentSteps.describe(
    "In the order in which they run; a step that fails ends the run. Parameters are variables and never part of a command's text: $ORCH_TARGET_<NAME>, $ORCH_PAYLOAD, $ORCH_TASK_ID.",
  ),
  criteria: z
    .record(z.string().max(1024), z.int().min(0))
    .optional()
    .describe("The index (from 0) of the check step of each success criterion (default: in their order)."),
  safety_level: SafetyLevel.default("standard"),
  preconditions: z.array(Note).max(50).default([]).describe("Notes for readers. orch does not check them."),
});
export type SopDefinition = z.infer<typeof SopDefinition>;

export const stepsDigest = (steps: readonly Step[]): string => digestOf(steps);

/** Pairs every success criterion with a separate check step (D-018). */
export const coverCriteria = (
  criteria: readonly string[],
  steps: readonly Step[],
  map?: Readonly<Record<string, number>>,
): Coverage =>
  coverByChecks(
    criteria,
    steps.flatMap((step, index) => (isCheck(step) ? [index] : [])),
    map,
  );

export type SopOrigin =
  /** A taught task proved it. */
  | { readonly by: "task"; readonly task_id: string }
  /** It was taught, or imported, without a task. */
  | { readonly by: "teach" }
  | { readonly by: "copy"; readonly sop_id: string }
  | { readonly by: "rollback"; readonly sop_id: string }
  /** A replacement: the task that requested it settles it. */
  | { readonly by: "update_sop"; readonly task_id: string };

const UPDATE = "update_sop ";
const COPY = "copy_sop ";
const ROLLBACK = "rollback_sop ";

export function formatOrigin(origin: SopOrigin): string {
  switch (origin.by) {
    case "task":
      return origin.task_id;
    case "teach":
      return "teach";
    case "copy":
      return `${COPY}${origin.sop_id}`;
    case "rollback":
      return `${ROLLBACK}${origin.sop_id}`;
    case "update_sop":
      return `${UPDATE}${origin.task_id}`;
  }
}

export function parseOrigin(text: string): SopOrigin {
  if (text === "teach") return { by: "teach" };
  if (text.startsWith(COPY)) return { by: "copy", sop_id: text.slice(COPY.length) };
  if (text.startsWith(ROLLBACK)) return { by: "rollback", sop_id: text.slice(ROLLBACK.length) };
  return text.startsWith(UPDATE)
    ? { by: "update_sop", task_id: text.slice(UPDATE.length) }
    : { by: "task", task_id: text };
}

type Candidate = Pick<Sop, "status" | "origin" | "promotion_round">;

/** The candidate of an update_sop, which its task settles. */
export const isOfUpdate = ({ status, origin, promotion_round }: Candidate): boolean =>
  status === "candidate" && promotion_round === 1 && parseOrigin(origin).by === "update_sop";

/** It was in use and has lost its proof (D-294). */
export const isSetBack = ({ status, promotion_round }: Pick<Sop, "status" | "promotion_round">): boolean =>
  status === "candidate" && promotion_round > 1;

/** The procedure that a task runs: a stored SOP, or the steps that the supervisor taught to this task. */
export const Procedure = z.strictObject({
  sop_id: z.string().nullable(),
  sop_version: z.int().nullable(),
  steps: Steps,
  criteria: z.array(CriterionCheck),
  safety_level: SafetyLevel,
  preconditions: z.array(z.string()),
  on_trial: z.literal(true).optional().describe("no run has proved it on this target, so its run asks for an approval"),
});
export type Procedure = z.infer<typeof Procedure>;

// The proof of a stored procedure on its target (D-200): what a human sees before a version becomes active. It follows from what
// has run, from what its checks answer now, and from the text; no step that changes something is run for it.

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
