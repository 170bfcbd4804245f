// The four kinds of steps [2.step.kind], and the recorded result of a run.
import { z } from "zod";
import { durationMs, TRIES_SHOWN } from "./duration.ts";
import { JsonObject, JsonValue } from "./json.ts";
import { canonicalJson } from "./json-values.ts";
import { DURATION_PATTERN, eitherOf, having, NOT_BLANK_PATTERN, ZERO_PATTERN } from "./published-rules.ts";
import { splicedParameters } from "./resolve-arguments.ts";

const MAX_STEPS = 1000;
const MAX_COMMAND = 16_384;

const Command = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_COMMAND, `at most ${MAX_COMMAND} characters; put a longer script into a file and run that file`)
  .refine((text) => !text.includes("\0"), "must not contain NUL")
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ pattern: NOT_BLANK_PATTERN });

const Duration = z
  .string()
  .refine((text) => durationMs(text) !== null, "must be a duration such as 500ms, 30s, 5m or 1h, at most 1h")
  .meta({ pattern: DURATION_PATTERN });

const Within = Duration.refine((text) => durationMs(text) !== 0, "must be longer than 0")
  .meta({ not: { pattern: ZERO_PATTERN } })
  .describe("polled until it passes, for at most this long, such as 60s");

const ONLY_FOR_CHECKS = {
  error: ({ code, keys }: { readonly code?: string | undefined; readonly keys?: unknown }): string | undefined =>
    code === "unrecognized_keys" && Array.isArray(keys) && keys.join() === "within"
      ? "is for steps of kind check only; put it on the check that has to wait"
      : undefined,
};

const ServerName = z.string().regex(/^[A-Za-z0-9_]{1,32}$/, "letters, digits and underscores, at most 32");

export const Expect = z
  .strictObject({
    path: z
      .string()
      .regex(/^(\/[^\0]*)?$/, "must be a JSON pointer: empty, or a path such as /state")
      .max(1024)
      .default("")
      .describe("JSON pointer into the structured content, or into the text where it is JSON; empty is all of it"),
    equals: JsonValue.optional().describe("the value that must be there"),
    contains: z.string().min(1).max(4096).optional().describe("text that must be in the value that is there"),
  })
  .refine(({ equals, contains }) => (equals === undefined) !== (contains === undefined), {
    message: "needs either equals or contains",
  })
  .meta(eitherOf("equals", "contains"));

const Reconcile = Command.optional().describe(
  "a bash command that only looks; orch runs it first when it was stopped in the step or the answer was lost: exit code 0: the step is done, 1: it is not done and may run again, any other: a human is asked",
);

const Idempotent = z
  .boolean()
  .optional()
  .describe(
    "true: running the step again has no further effect. orch may then repeat it when its answer is lost; the approval shows it",
  );

export const McpCallStep = z
  .strictObject(
    {
      kind: z.literal("mcp_call").describe("calls a tool of an MCP server"),
      value: z.literal("", "must be an empty string for mcp_call").default("").describe("leave it out"),
      server: ServerName.describe("a tool server that implicit_scope names"),
      tool: z.string().min(1).max(128).describe("the tool of the server"),
      arguments: JsonObject.optional().describe(
        `of the tool; a string that is exactly \${target.x} or \${payload.x} becomes that value`,
      ),
      params: JsonObject.optional().describe("alias of arguments"),
      expect: Expect.optional().describe(
        "makes the call of a tool that only reads a check: {path, equals} or {path, contains}; path is a JSON pointer into the result (default: all of it), equals any JSON value, contains a text",
      ),
      reconcile: Reconcile,
      idempotent: Idempotent,
    },
    ONLY_FOR_CHECKS,
  )
  .meta({
    not: having({ expect: { type: "object" }, reconcile: { type: "string" } }),
  })
  .superRefine((step, context) => {
    if (step.expect !== undefined && step.reconcile !== undefined) {
      const message = "is for steps that change something, and this one is a check: leave it out";
      context.addIssue({ code: "custom", path: ["reconcile"], message });
    }
    const { arguments: args, params } = step;
    if (args !== undefined && params !== undefined && canonicalJson(args) !== canonicalJson(params)) {
      context.addIssue({ code: "custom", path: ["params"], message: "differs from arguments; give one of the two" });
    }
  })
  .transform(({ params, arguments: args, ...step }) => ({ ...step, arguments: args ?? params ?? {} }));

export const CmdStep = z.strictObject(
  {
    kind: z.literal("cmd").describe("runs a bash command; exit code 0 passes"),
    value: Command.describe("the bash command"),
    preview: Command.optional().describe("a command that only looks, and shows what the step would do"),
    reconcile: Reconcile,
    idempotent: Idempotent,
  },
  ONLY_FOR_CHECKS,
);

export const CheckStep = z.strictObject({
  kind: z.literal("check").describe("a bash command that only reads and exits with 0 only where a criterion holds"),
  value: Command.describe("the bash command"),
  within: Within.optional(),
});

export const WaitStep = z.strictObject(
  {
    kind: z.literal("wait").describe("pauses"),
    value: Duration.describe("a duration such as 30s, at most 1h"),
  },
  ONLY_FOR_CHECKS,
);

export const Step = z.discriminatedUnion("kind", [CmdStep, CheckStep, WaitStep, McpCallStep]);
export type Step = z.infer<typeof Step>;

/** What a tool server says of a tool: that it only reads, that it changes something, or nothing of it. */
export type ToolEffect = "reads" | "changes" | "unknown";

/** A check command, or a tool call that states what it expects (D-188). */
export const isCheck = (step: Step): boolean =>
  step.kind === "check" || (step.kind === "mcp_call" && step.expect !== undefined);

export const reconcileOf = (step: Step | undefined): string | undefined =>
  step?.kind === "cmd" || step?.kind === "mcp_call" ? step.reconcile : undefined;

/** The fields of every kind, of which a step may have those of another kind as null. */
export const STEP_FIELDS: readonly string[] = [
  ...new Set([CmdStep, CheckStep, WaitStep, McpCallStep.in].flatMap(({ shape }) => Object.keys(shape))),
];

/** The published form has the fields of every kind, and a model that fills in a form gives null for those that do not apply. */
const withoutNulls = (step: unknown): unknown =>
  typeof step === "object" && step !== null && !Array.isArray(step)
    ? Object.fromEntries(Object.entries(step).filter(([name, value]) => value !== null || !STEP_FIELDS.includes(name)))
    : step;

const stepsOf = (prepare: (step: unknown) => unknown) =>
  z
    .array(z.preprocess(prepare, Step))
    .min(1, "must have at least one step")
    .max(MAX_STEPS, `must have at most ${MAX_STEPS} steps; split the procedure`);

export const Steps = stepsOf(withoutNulls);

/** Bash takes the carriage return of a line end for a part of the last word. */
export const withUnixLines = (text: string): string => text.replaceAll("\r\n", "\n");

const SHELL_TEXTS = ["value", "preview", "reconcile"];

function withUnixTexts(step: unknown): unknown {
  const given = withoutNulls(step);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).map(([key, value]) => [
    key,
    SHELL_TEXTS.includes(key) && typeof value === "string" ? withUnixLines(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Steps as someone sends them. Stored ones stay as they are, and so does their digest. */
export const SentSteps = stepsOf(withUnixTexts).superRefine((steps, context) => {
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "mcp_call") continue;
    const { arguments: args, expect } = step;
    for (const { path, message } of splicedParameters({ arguments: args, expect }))
      context.addIssue({ code: "custom", path: [index, ...path], message });
  }
});

export const STEP_STATUSES = ["passed", "failed", "skipped", "blocked", "outcome_unknown"] as const;

const CheckTry = z.strictObject({
  nth: z.int().min(1),
  after_ms: z.number().min(0).describe("since the first try"),
  duration_ms: z.number().min(0),
  exit_code: z.int().nullable(),
  timed_out: z.boolean().describe("it was cut because the time of the check was over"),
});

const CheckTries = z.strictObject({
  count: z.int().min(1),
  first: z.array(CheckTry).max(TRIES_SHOWN),
  last: z.array(CheckTry).max(TRIES_SHOWN).describe("of the tries after the first ones"),
});
export const LeftProcesses = z.strictObject({
  ended: z.int().min(0).describe("how many orch ended"),
  running: z.int().min(0).describe("how many still run, because they left the process group of the step"),
  names: z.array(z.string().max(64)).max(10).describe("the names of the programs, each once"),
});
export type LeftProcesses = z.infer<typeof LeftProcesses>;

/** Success and failure have the same shape. `index` counts from 0, `attempt` from 1. `duration_ms` is wall time. */
export const StepResult = z.strictObject({
  index: z.int().min(0),
  kind: z.enum(["cmd", "check", "wait", "mcp_call", "skill_tool"]).describe("skill_tool: only a call of an agent"),
  status: z.enum(STEP_STATUSES),
  attempt: z.int().min(1),
  exit_code: z.int().nullable().describe("null when the step has none: it was killed, or its outcome is unknown"),
  stdout: z.string().describe("head and tail, 32 KiB each"),
  stderr: z.string().describe("head and tail, 32 KiB each"),
  stdout_bytes: z.int().min(0).describe("bytes that the command wrote"),
  stderr_bytes: z.int().min(0),
  truncated: z.boolean(),
  started_at: z.iso.datetime(),
  duration_ms: z.number().min(0),
  timed_out: z.boolean(),
  tries: CheckTries.optional().describe("of a check with within; the rest of the result is that of its last try"),
  left_processes: LeftProcesses.optional().describe("what still ran when the command had ended; absent for none"),
  never_sent: z.literal(true).optional().describe("the call did not reach the tool server: it may be made again"),
});
export type StepResult = z.infer<typeof StepResult>;

/** The result of a step whose outcome is unknown (D-013). */
export function unfinished(started: Pick<StepResult, "index" | "attempt" | "kind" | "started_at">): StepResult {
  return {
    ...started,
    status: "outcome_unknown",
    exit_code: null,
    stdout: "",
    stderr: "",
    stdout_bytes: 0,
    stderr_bytes: 0,
    truncated: false,
    duration_ms: 0,
    timed_out: false,
  };
}
