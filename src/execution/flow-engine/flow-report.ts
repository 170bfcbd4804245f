// Finds the report of the flow in the result of a job [2.flow_output.ok], and converts its step results and its looks at checks
// (D-198) to what orch records. An engine that counts a job as failed wraps the report in an error, so orch searches there too:
// the steps that ran are evidence in both cases.
import { z } from "zod";
import { BeforeLook } from "../../domain/proof.ts";
import { LeftProcesses, type Step, StepResult } from "../../domain/step.ts";
import { isPolled } from "../../domain/step-run.ts";
import { type Redact, withoutMargin } from "../../redact/find-secrets.ts";
import { createOutputRing } from "../local/output-ring.ts";

const MAX_REASON = 200;

const Looks = z.array(BeforeLook);

/** Null when there are none: a script of an older release reports nothing. */
export function reportedLooks(reported: unknown, range: StepRange, redact: Redact): BeforeLook[] | null {
  const { first_index, look_at = [] } = range;
  const asked = new Set(look_at);
  const looks = (Looks.safeParse(reported).data ?? []).flatMap((look): BeforeLook[] => {
    const step_index = first_index + look.step_index;
    // Each counts once: the first look is the one before the change.
    return asked.delete(step_index) ? [{ ...look, step_index, ...shown(look, redact) }] : [];
  });
  return looks.length === 0 ? null : looks;
}

/** A text that redaction changes could never be equal to the output of the run after. */
const shown = ({ reason, printed }: BeforeLook, redact: Redact): Pick<BeforeLook, "reason" | "printed"> => ({
  reason: reason === null ? null : redact(reason.replaceAll("\0", ""), { start: 0, end: MAX_REASON }),
  printed: printed === null || printed.includes("\0") || redact(printed) !== printed ? null : printed,
});

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

/**
 * Converts the step results in a flow's report to the results that orch records. The flow that orch ships reports every field. A
 * flow by another author may omit what orch can fill in, but may not contradict the plan. The results up to the first that does
 * not fit the plan, and what is wrong with that one.
 */
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

export const FlowReport = z.looseObject({
  ok: z.boolean(),
  summary: z.string().catch(""),
  before_looks: z.unknown().optional(),
  step_results: z.array(z.unknown()).optional().catch(undefined),
});

export type FlowReport = z.infer<typeof FlowReport>;

const Wrapped = z.looseObject({ error: z.looseObject({ result: z.unknown().optional() }) });

const Failure = z.object({
  error: z.object({ name: z.string().catch("Error"), message: z.string().catch("") }),
});

/** Null when there is no report. The engine wraps nothing in a successful result. */
export function reportIn(result: unknown, is_success: boolean): FlowReport | null {
  const { error } = (is_success ? undefined : Wrapped.safeParse(result).data) ?? {};
  for (const candidate of [result, error, error?.result]) {
    const { data } = FlowReport.safeParse(candidate);
    if (data !== undefined) return data;
  }
  return null;
}

type JobFault = { readonly name: string; readonly message: string };

/** The error in the result of a job that failed. */
export const faultIn = (result: unknown): JobFault | null => Failure.safeParse(result).data?.error ?? null;

/** Whether the job was cancelled. A job that reached its own time limit was cancelled by `timeout`. */
export const isCancelled = ({ name, message }: JobFault): boolean =>
  name === "Canceled" || /^Job canceled/i.test(message);
