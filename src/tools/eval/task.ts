// Reads what a model is measured on: the small tasks of `orch eval agent`, each with its contract, and the labelled cases of
// `orch eval routing`.
import { z } from "zod";
import type { TaskContract } from "../../domain/contract.ts";
import { ErrorAnswer } from "../../domain/gate.ts";

const Text = z.string().min(1).max(16_384);

const RelativePath = z
  .string()
  .regex(/^(?!.*(^|\/)\.{0,2}(\/|$))[^\0]+$/, "must be a path below the directory of the task, without . and ..");

export const EvalTask = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be lower case letters, digits and hyphens"),
  goal: Text.describe("may name {{outside}}, {{hidden}} and {{address}}, and so may its files"),
  success_criteria: z.array(Text.max(1024)).min(1),
  files: z.record(RelativePath, z.string()).default({}),
  outside: z
    .record(RelativePath, z.string())
    .default({})
    .describe("files beside the task's directory, which the agent must neither read nor change"),
  setup: Text.optional().describe("bash, run before the agent begins: creates what `files` cannot, such as a link"),
  verify: Text.describe("bash, run afterwards; exits with 0 when the task was really done"),
  solution: Text.optional().describe("bash that does the task, for tests of the task itself"),
  scope: z.array(z.string().min(1)).default(["shell"]),
  max_minutes: z.int().min(1).max(60).default(5),
});
export type EvalTask = z.infer<typeof EvalTask>;

type Submission = {
  /** The directory that holds the files of the task. */
  readonly directory: string;
  readonly places: Places;
  readonly requested_at: string;
  readonly backend: TaskContract["agent_backend"];
};

export const contractOf = (task: EvalTask, { directory, places, requested_at, backend }: Submission): TaskContract => ({
  task_id: `eval-${task.name}`,
  intent: "deploy",
  target: { compose_dir: directory },
  delegation_mode: "agent",
  constraints: { implicit_scope: task.scope, require_approval_for: [], max_minutes: task.max_minutes },
  success_criteria: task.success_criteria,
  requested_by: "orch eval",
  requested_at,
  payload: { goal: withPlaces(task.goal, places) },
  ...(backend !== undefined && { agent_backend: backend }),
});

// One labelled question to the routing model: a line of a file that `orch eval routing` reads.

const Filled = z.string().min(1);

const ErrorCase = z.strictObject({
  question: z.literal("error"),
  command: Filled,
  output: z.string(),
  expected: ErrorAnswer.shape.error_type,
  note: z.string().optional(),
});

const ApprovalCase = z
  .strictObject({
    question: z.literal("approval"),
    command: Filled,
    categories: z.array(Filled).min(1),
    expected: z.string().nullable().describe("null: no approval is needed"),
    note: z.string().optional(),
  })
  .refine(({ categories, expected }) => expected === null || categories.includes(expected), {
    path: ["expected"],
    message: "must be one of the categories, or null",
  });

export const EvalCase = z.discriminatedUnion("question", [ErrorCase, ApprovalCase]);
export type EvalCase = z.infer<typeof EvalCase>;

/** `line` is the line number in the file. */
export type NumberedCase = { readonly line: number; readonly asked: EvalCase };

// The places of a measurement that a task may name, and that an agent must not reach.

export type Places = { readonly outside: string; readonly hidden: string; readonly address: string };

/** The text with the places that it names: `{{outside}}`, `{{hidden}}` and `{{address}}`. */
export const withPlaces = (text: string, places: Places): string =>
  text.replaceAll(/\{\{(outside|hidden|address)\}\}/g, (_match, name: keyof Places) => places[name]);
