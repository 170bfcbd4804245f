// Shapes of the operations on stored procedures: teaching, reading, copying, going back.
import { z } from "zod";
import { EXAMPLE } from "../../api/operations/example.ts";
import {
  Limit,
  type NamedSchemas,
  READ,
  SopId,
  shape,
  type Tags,
  WaitSeconds,
} from "../../api/operations/operation.ts";
import { CheckWarning } from "../../api/operations/shapes/explain.ts";
import { TaskView } from "../../api/operations/shapes/task-view.ts";
import { Rollback } from "../../domain/approval.ts";
import { GivenTarget, Intent, Target, TaskId } from "../../domain/contract.ts";
import { CheckProof, PROOF_CLASSES } from "../../domain/proof.ts";
import { having } from "../../domain/published-rules.ts";
import { LeftOut } from "../../domain/quarantine.ts";
import { SopRecord } from "../../domain/scorecard/record.ts";
import {
  CriterionCheck,
  SafetyLevel,
  SOP_STATUSES,
  Sop,
  SopDefinition,
  SopLevel,
  StepDifference,
} from "../../domain/sop.ts";
import { Step } from "../../domain/step.ts";

/** For a task, or for an intent and a target. */
const TAUGHT_FOR = {
  not: {
    anyOf: [
      having({ task_id: {}, intent: {} }),
      having({ task_id: {}, target: {} }),
      { properties: { task_id: false, intent: false } },
    ],
  },
};

const TeachInput = SopDefinition.extend({
  task_id: TaskId.optional().describe("The task that waits to be taught."),
  intent: Intent.optional().describe("With target, instead of task_id: store an SOP without running it."),
  target: GivenTarget.optional().describe("What the SOP acts on."),
  wait_seconds: WaitSeconds,
}).meta(TAUGHT_FOR);

const Warnings = z
  .array(CheckWarning)
  .describe("checks that could not be seen to fail; empty where looks are switched off");

export const teach = shape({
  name: "teach",
  summary: "Teach steps, one check step for each success criterion: to a waiting task, or as a candidate SOP.",
  guidance:
    "Give task_id for a task that waits with reason sop_unknown, or intent and target to store an SOP without running it. " +
    "Every success criterion needs a check step of its own: the n-th check proves the n-th criterion, unless criteria " +
    "maps each criterion to the index of its check. Steps that policy blocks are refused now.",
  method: "POST",
  path: "/v1/teach",
  scope: "teach",
  hints: { read_only: false, destructive: true, idempotent: false },
  input: TeachInput,
  output: z.strictObject({
    task: TaskView.nullable(),
    sop: Sop.nullable(),
    approval_id: z.string().nullable().describe("of the promotion that a candidate asks for"),
    warnings: Warnings,
  }),
  example: { task_id: EXAMPLE.task_id, steps: EXAMPLE.steps, wait_seconds: 20 },
});

/** Not of an earlier server: its record is not known. */
export const ListedSop = Sop.extend({ record: SopRecord.optional() });
export type ListedSop = z.infer<typeof ListedSop>;

export const listSops = shape({
  name: "list_sops",
  summary: "Stored procedures, newest first.",
  method: "GET",
  path: "/v1/sops",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    intent: Intent.optional().describe("Only of this intent."),
    target_signature: z
      .string()
      .max(8192)
      .optional()
      .describe("Only of this target: its name=value pairs, sorted by name and joined by ;"),
    status: z.enum(SOP_STATUSES).optional().describe("Only these; active ones are in use."),
    limit: Limit,
    after: SopId.optional().describe("next_after of the page before."),
  }),
  output: z.strictObject({ sops: z.array(ListedSop), next_after: z.string().nullable(), quarantined: LeftOut }),
  example: { intent: "deploy", status: "active", limit: 20 },
});

const Version = z.strictObject({
  sop_id: z.string(),
  version: z.int(),
  status: z.enum(SOP_STATUSES),
  level: SopLevel,
  created_at: z.string(),
});

export const getSop = shape({
  name: "get_sop",
  summary: "One SOP with the versions of its key and, on request, the difference to one of them.",
  method: "GET",
  path: "/v1/sops/{sop_id}",
  scope: "read",
  hints: READ,
  input: z.strictObject({ sop_id: SopId, diff_to: SopId.optional().describe("The version to compare with.") }),
  output: z.strictObject({
    sop: Sop,
    versions: z.array(Version),
    diff: z.string().nullable(),
    record: SopRecord.optional(),
  }),
  example: { sop_id: EXAMPLE.sop_id, diff_to: EXAMPLE.sop_id },
});

export const exportSop = shape({
  name: "export_sop",
  summary: "One SOP as a YAML file.",
  method: "GET",
  path: "/v1/sops/{sop_id}/file",
  scope: "read",
  hints: READ,
  input: z.strictObject({ sop_id: SopId }),
  output: z.strictObject({ file: z.string() }),
  example: { sop_id: EXAMPLE.sop_id },
});

export const importSop = shape({
  name: "import_sop",
  summary: "Store an SOP from its YAML file as a candidate and ask for its promotion.",
  method: "POST",
  path: "/v1/sops/import",
  scope: "teach",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    file: z
      .string()
      .min(1)
      .max(1_000_000)
      .describe("The YAML text itself, as export_sop gives it, not the path of a file."),
  }),
  output: z.strictObject({ sop: Sop, approval_id: z.string().nullable(), warnings: Warnings }),
  example: { file: EXAMPLE.file },
});

const Draft = z.strictObject({
  intent: z.string(),
  target: Target,
  safety_level: SafetyLevel,
  preconditions: z.array(z.string()),
  criteria: z.record(z.string(), z.int()),
  steps: z.array(Step),
});

export const proposeSop = shape({
  name: "propose_sop",
  summary:
    "Draft an SOP from an agent's verified run: its changes and checks, with parameters for the target's values.",
  guidance:
    "When what an agent did is worth doing again: read the draft as data that a model wrote, correct it, then teach it. " +
    "left_out are changes and proofs that are not among its steps, issues what teach would refuse.",
  method: "GET",
  path: "/v1/tasks/{task_id}/sop_proposal",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId }),
  output: z.strictObject({
    draft: Draft.describe("read it, correct it, and give it to teach"),
    file: z.string().describe("the same as an SOP file, for import_sop"),
    criteria: z.array(CriterionCheck),
    checks: z
      .array(
        z.strictObject({
          step_index: z.int(),
          proof: z.enum(PROOF_CLASSES).nullable().describe("null where it was not looked at"),
          seen_red: CheckProof.shape.seen_red.nullable(),
          change: CheckProof.shape.change.nullable(),
          reason: z.string().nullable().describe("why it is not proved"),
        }),
      )
      .describe("what the checks of the draft were worth in the run, and whether they changed in it"),
    left_out: z
      .array(z.strictObject({ index: z.int(), command: z.string(), why: z.string() }))
      .describe("changes and proofs that are no steps, by the number of the call"),
    warnings: z.array(z.string()).describe("what needs a reader before the draft is taught; also on top of the file"),
    left_literal: z
      .array(
        z.strictObject({
          step_index: z.int(),
          key: z.string().describe("such as target.service"),
          value: z.string(),
          where: z.string().describe("the field of the step, with a JSON pointer for arguments"),
          why: z.string(),
        }),
      )
      .describe("places of the target's values that are no parameters"),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .describe("what teach would refuse in it"),
  }),
  example: { task_id: EXAMPLE.task_id },
});

const Literal = z.strictObject({
  step_index: z.int(),
  key: z.string().describe("the attribute of the target"),
  value: z.string().describe("its old value, which the step of the copy still names"),
});

export const copySop = shape({
  name: "copy_sop",
  summary: "Store a copy of an active SOP as a candidate for another target and ask for its promotion.",
  guidance:
    "For the next target of the same kind. literals are values of the old target that the steps still have: ask whether they " +
    "should follow. The copy is on trial: its first run asks for an approval.",
  method: "POST",
  path: "/v1/sops/{sop_id}/copy",
  scope: "teach",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    sop_id: SopId,
    target: GivenTarget.describe("What the copy acts on."),
    with_parameters: z
      .boolean()
      .default(false)
      .describe("Put parameters in the place of the old target's values where that does not change what runs."),
  }),
  output: z.strictObject({
    sop: Sop,
    approval_id: z.string().nullable(),
    literals: z.array(Literal).describe("values of the old target that the steps of the copy still name"),
    warnings: z.array(CheckWarning),
  }),
  example: { sop_id: EXAMPLE.sop_id, target: { service: "shop" }, with_parameters: true },
});

export const rollbackSop = shape({
  name: "rollback_sop",
  summary: "Store a new version with the steps of an earlier version of the same key and ask for its promotion.",
  guidance:
    "When the version in use, or the one that was set back, is worse than an earlier one. Nothing changes until a human approves " +
    "the new version: show the difference first. The earlier version is never active again by itself.",
  method: "POST",
  path: "/v1/sops/{sop_id}/rollback",
  scope: "teach",
  hints: { read_only: false, destructive: false, idempotent: false },
  input: z.strictObject({
    sop_id: z
      .uuid("must be the UUID of an SOP")
      .describe("The UUID of the earlier version, which was in use; get_sop names the versions of a key."),
  }),
  output: z.strictObject({
    sop: Sop,
    approval_id: z.string().nullable(),
    rollback: Rollback,
    warnings: z.array(CheckWarning),
  }),
  example: { sop_id: EXAMPLE.sop_id },
});

/** In no order: the order of all operations is in src/api/operations/shapes.ts. */
export const PROCEDURE_SHAPES = [
  teach,
  listSops,
  getSop,
  exportSop,
  importSop,
  proposeSop,
  copySop,
  rollbackSop,
] as const;

/** Records that the OpenAPI document names. */
export const PROCEDURE_SCHEMAS = {
  Sop: [Sop, "A stored procedure: one version of the steps for an intent and a target."],
  StepDifference: [StepDifference, "A step that one version has and the other has not."],
  CriterionCheck: [CriterionCheck, "Which check step proves which success criterion."],
} satisfies NamedSchemas;

/** By the first part of the path. */
export const PROCEDURE_TAGS: Tags = {
  teach: ["Procedures", "Stored procedures (SOPs): taught, examined, exported, copied."],
  sops: ["Procedures", "Stored procedures (SOPs): taught, examined, exported, copied."],
};
