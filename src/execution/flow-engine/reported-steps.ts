// Converts the step results in a flow's report to the results that orch records. The flow that orch ships reports every
// field. A flow by another author may omit what orch can fill in, but may not contradict the plan.
import { z } from "zod";
import { isPolled } from "../../domain/polling.ts";
import { LeftProcesses, type Step, StepResult } from "../../domain/step.ts";
import { type Redact, withoutMargin } from "../../redact/redact.ts";
import { createOutputRing } from "../local/output-ring.ts";

const Text = z.string().default("");
const Reported = z.object({
  index: z.int().min(0).optional(),
  kind: StepResult.shape.kind.optional(),
  status: StepResult.shape.status.optional(),
  exit_code: z.int().nullable().optional(),
  stdout: Text,
  stderr: Text,
  stdout_bytes: z.int().min(0).optional(),
  stderr_bytes: z.int().min(0).optional(),
  truncated: z.boolean().default(false),
  started_at: StepResult.shape.started_at.optional(),
  duration_ms: z.number().min(0).default(0),
  timed_out: z.boolean().default(false),
  tries: StepResult.shape.tries,
  left_processes: LeftProcesses.optional().catch(undefined),
  never_sent: z.literal(true).optional(),
});

export type StepRange = {
  readonly steps: readonly Step[];
  readonly first_index: number;
  readonly attempt: number;
  readonly started_at: string;
  /** The checks that the job was asked to look at, by their index in the plan. */
  readonly look_at?: readonly number[] | undefined;
};

type Read = { readonly results: StepResult[]; readonly issue: string | null };

/** The results up to the first that does not fit the plan, and what is wrong with that one. */
export function reportedSteps(reported: readonly unknown[], range: StepRange, redact: Redact): Read {
  const results: StepResult[] = [];
  for (const [position, value] of reported.entries()) {
    const read = Reported.safeParse(value);
    if (!read.success) return { results, issue: `step_results.${position}: ${issueText(read.error)}` };
    const issue = misfit(read.data, position, range, results.at(-1));
    if (issue !== null) return { results, issue: `step_results.${position} ${issue}` };
    results.push(completed(read.data, position, range, redact));
  }
  return { results, issue: null };
}

const issueText = ({ issues: [issue] }: z.ZodError): string =>
  [issue?.path.join("."), issue?.message].filter((word) => word !== "").join(": ");

function misfit(
  { index, kind, status, exit_code }: z.infer<typeof Reported>,
  position: number,
  { steps }: StepRange,
  before: StepResult | undefined,
): string | null {
  const step = steps[position];
  if (step === undefined) return "is for no submitted step";
  if (index !== undefined && index !== position) return `says index ${index}`;
  if (kind !== undefined && kind !== step.kind) return `says kind ${kind}, but the step is a ${step.kind}`;
  if (status === undefined && exit_code === undefined) return "has neither status nor exit_code";
  if (status === "passed" && (exit_code ?? 0) !== 0) return `says passed with exit code ${exit_code}`;
  return before === undefined || before.status === "passed" ? null : "follows a step that did not pass";
}

function completed(
  reported: z.infer<typeof Reported>,
  position: number,
  { steps, first_index, attempt, started_at }: StepRange,
  redact: Redact,
): StepResult {
  const { exit_code = reported.status === "passed" ? 0 : null, duration_ms, timed_out, tries } = reported;
  const stdout = kept(reported.stdout, redact);
  const stderr = kept(reported.stderr, redact);
  return {
    index: first_index + position,
    kind: steps[position]?.kind ?? "cmd",
    status: reported.status ?? (exit_code === 0 ? "passed" : "failed"),
    attempt: position === 0 ? attempt : 1,
    exit_code,
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_bytes: reported.stdout_bytes ?? stdout.bytes,
    stderr_bytes: reported.stderr_bytes ?? stderr.bytes,
    truncated: reported.truncated || stdout.truncated || stderr.truncated,
    started_at: reported.started_at ?? started_at,
    duration_ms,
    timed_out,
    ...(tries !== undefined && isPolled(steps[position]) && { tries }),
    ...(reported.left_processes !== undefined && { left_processes: reported.left_processes }),
    ...(reported.never_sent === true && { never_sent: true }),
  };
}

/** The head and the tail of an output, and the line between them that the flow may have added. */
const LONGEST = 2 * 32 * 1024 + 256;

export function kept(text: string, redact: Redact) {
  const bytes = Buffer.byteLength(text);
  if (bytes <= LONGEST) return { text: redact(text.replaceAll("\0", "")), bytes, truncated: false };
  const ring = createOutputRing();
  ring.push(Buffer.from(text));
  return withoutMargin(ring.read(), redact);
}
