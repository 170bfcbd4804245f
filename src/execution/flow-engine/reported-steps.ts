// The step results of a flow's report, as orch keeps them. The flow that comes with orch reports every field; one that
// somebody wrote may leave out what orch can fill in, but not contradict the plan.
import { z } from "zod";
import { type Step, StepResult } from "../../domain/step.ts";
import type { Redact } from "../../redact/redact.ts";
import { createOutputRing } from "../local/output-ring.ts";
import { withoutMargin } from "../local/redact-output.ts";

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
});

export type Place = {
  readonly steps: readonly Step[];
  readonly first_index: number;
  readonly attempt: number;
  readonly started_at: string;
};

export type Read = { readonly results: StepResult[]; readonly issue: string | null };

/** The results up to the first that does not fit the plan, and what is wrong with that one. */
export function reportedSteps(reported: readonly unknown[], place: Place, redact: Redact): Read {
  const results: StepResult[] = [];
  for (const [position, value] of reported.entries()) {
    const read = Reported.safeParse(value);
    if (!read.success) return { results, issue: `step_results.${position}: ${wordsOf(read.error)}` };
    const issue = misfit(read.data, position, place, results.at(-1));
    if (issue !== null) return { results, issue: `step_results.${position} ${issue}` };
    results.push(completed(read.data, position, place, redact));
  }
  return { results, issue: null };
}

const wordsOf = ({ issues: [issue] }: z.ZodError): string =>
  [issue?.path.join("."), issue?.message].filter((word) => word !== "").join(": ");

function misfit(
  { index, kind, status, exit_code }: z.infer<typeof Reported>,
  position: number,
  { steps }: Place,
  before: StepResult | undefined,
): string | null {
  const step = steps[position];
  if (step === undefined) return "is of no step that was handed over";
  if (index !== undefined && index !== position) return `says index ${index}`;
  if (kind !== undefined && kind !== step.kind) return `says kind ${kind} of a ${step.kind}`;
  if (status === undefined && exit_code === undefined) return "has neither status nor exit_code";
  if (status === "passed" && (exit_code ?? 0) !== 0) return `says passed with exit code ${exit_code}`;
  return before === undefined || before.status === "passed" ? null : "comes behind a step that did not pass";
}

function completed(
  reported: z.infer<typeof Reported>,
  position: number,
  { steps, first_index, attempt, started_at }: Place,
  redact: Redact,
): StepResult {
  const { exit_code = reported.status === "passed" ? 0 : null, duration_ms, timed_out } = reported;
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
  };
}

/** Head and tail as of any output, and the line between them that the flow may have put there itself. */
const LONGEST = 2 * 32 * 1024 + 256;

export function kept(text: string, redact: Redact) {
  const bytes = Buffer.byteLength(text);
  if (bytes <= LONGEST) return { text: redact(text.replaceAll("\0", "")), bytes, truncated: false };
  const ring = createOutputRing();
  ring.push(Buffer.from(text));
  return withoutMargin(ring.read(), redact);
}
