// Says what the end of a job means for its steps and for the task [3.rule.6]. A job has passed only if the engine counts it as a
// success, the flow returns ok, and the flow reports every submitted step as passed (D-101).
import { z } from "zod";
import { BeforeLook } from "../../domain/proof.ts";
import type { JobOutcome } from "../../domain/run-request.ts";
import { LeftProcesses, type Step, StepResult, unfinished } from "../../domain/step.ts";
import { isPolled } from "../../domain/step-run.ts";
import { type Redact, withoutMargin } from "../../redact/find-secrets.ts";
import { createOutputRing } from "../local/output-ring.ts";
import type { Followed, StepLine } from "./follow-job.ts";
import type { Submission } from "./submit-job.ts";

/**
 * The job reported the first `known_count` results. A result after them is orch's own, for a step without a report. `looks` is
 * null when the job reported none: its script is older, it was stopped before, or it was not asked to look.
 */
export type Ended = JobOutcome & {
  readonly results: readonly StepResult[];
  readonly looks: readonly BeforeLook[] | null;
  readonly known_count: number;
};

type JobContext = { readonly range: StepRange; readonly lines: readonly StepLine[]; readonly redact: Redact };

type Outcome = Exclude<Followed, { is: "suspended" }> | Extract<Submission, { is: "failed" }>;

export function endOfJob(followed: Outcome, context: JobContext): Ended {
  if (followed.is === "failed") return withoutReport(followed.code, followed.message, null, context);
  if (followed.is === "lost") return withoutReport("lost", followed.message, null, context);
  if (followed.is === "too_large") {
    return withoutReport(
      "flow_result_too_large",
      `flow engine: the result is too large: ${followed.message}`,
      null,
      context,
    );
  }
  const { completion, text } = followed;
  const raw_result = kept(text, context.redact).text;
  const is_success = completion.success === true;
  const report = reportIn(completion.result, is_success);
  if (report !== null) return reported(report, completion.success ?? null, raw_result, context);
  const fault = faultIn(completion.result);
  if (fault !== null && isCancelled(fault)) {
    return withoutReport("flow_cancelled", `flow engine: ${fault.message}`, raw_result, context);
  }
  if (completion.success === false) {
    const reason = fault === null ? "the job failed without a reason" : `${fault.name}: ${fault.message}`;
    return withoutReport("flow_crashed", `flow engine: the job failed: ${reason}`, raw_result, context);
  }
  return withoutReport("flow_contract_broken", `${BROKEN} has no ok that is true or false`, raw_result, context);
}

const BROKEN = "the flow broke its output contract: its result";

const NO_SUCCESS = "the flow engine does not count the job as a success";

const NO_WORD = "the flow engine does not say whether the job succeeded";

function reported(report: FlowReport, success: boolean | null, raw_result: string, context: JobContext): Ended {
  const is_success = success === true;
  const doubt = success === null ? NO_WORD : NO_SUCCESS;
  const { range, redact } = context;
  const { results, issue } = reportedSteps(report.step_results ?? [], range, redact);
  const summary = textOf(report.summary, redact);
  const looks = reportedLooks(report.before_looks, range, redact);
  const ended = (code: Ended["code"], message: string): Ended => ({
    code,
    looks,
    message,
    raw_result: code === "passed" || code === "step_failed" ? null : raw_result,
    known_count: results.length,
    results: code === "passed" ? results : withMissing(results, message, context, "failed"),
  });
  if (issue !== null) return ended("flow_contract_broken", `${BROKEN} does not fit the steps: ${issue}`);
  const isBroken = results.some(({ status }) => status !== "passed");
  if (report.ok && !is_success) return ended("flow_not_ok", `${doubt}: ${summary}`);
  if (report.ok && isBroken) return ended("flow_contract_broken", `${BROKEN} says ok although a step did not pass`);
  if (report.ok && results.length < range.steps.length) {
    return ended(
      "flow_contract_broken",
      `${BROKEN} says ok, but reports ${results.length} of ${range.steps.length} steps`,
    );
  }
  if (report.ok) return ended("passed", summary);
  return isBroken ? ended("step_failed", summary) : ended("flow_not_ok", `the flow returned ok: false: ${summary}`);
}

/** Takes the steps from the log of the job (D-102). The log does not contain the output of the steps. */
function withoutReport(code: Ended["code"], message: string, raw_result: string | null, context: JobContext): Ended {
  const summary = textOf(message, context.redact);
  const logged = loggedSteps(context);
  // The last step of a lost job has no known end, even when the log says that it passed.
  const isWhole = logged.length === context.range.steps.length && logged.at(-1)?.status === "passed";
  const known = code === "lost" && isWhole ? logged.slice(0, -1) : logged;
  const results = withMissing(known, summary, context, code === "lost" ? "outcome_unknown" : "failed");
  return { code, message: summary, raw_result, results, looks: null, known_count: known.length };
}

const textOf = (text: string, redact: Redact): string =>
  redact(
    text
      .slice(0, MAX_SEEN)
      .replace(/[\0\s]+/g, " ")
      .trim(),
    { start: 0, end: MAX_TEXT },
  );

/** The characters that redaction reads, and the characters that a message keeps. */
const MAX_SEEN = 16_384;

const MAX_TEXT = 2_000;

const GONE = "orch: the output of this step is lost: the job ended without a report";

function loggedSteps({ range, lines }: JobContext): StepResult[] {
  const { steps, first_index, attempt, started_at } = range;
  const results: StepResult[] = [];
  for (const { index, kind, end } of lines) {
    if (end === null || index !== results.length || steps[index]?.kind !== kind) continue;
    const at = { index: first_index + index, kind, attempt: index === 0 ? attempt : 1, started_at };
    results.push({ ...unfinished(at), ...end, stderr: GONE, stderr_bytes: GONE.length, truncated: true });
    if (end.status !== "passed") break;
  }
  return results;
}

/** Adds a result that carries `message` for the first step without a report, if all steps before it passed. */
function withMissing(
  results: readonly StepResult[],
  message: string,
  { range }: JobContext,
  status: "failed" | "outcome_unknown",
): StepResult[] {
  const { steps, first_index, attempt, started_at } = range;
  const position = results.length;
  const step = steps[position];
  if (step === undefined || results.some((result) => result.status !== "passed")) return [...results];
  const more = status === "outcome_unknown" && position + 1 < steps.length ? ALSO : "";
  const stderr = `orch: ${message}${more}`;
  const at = { index: first_index + position, kind: step.kind, attempt: position === 0 ? attempt : 1, started_at };
  return [...results, { ...unfinished(at), status, stderr, stderr_bytes: Buffer.byteLength(stderr) }];
}

const ALSO = "; later steps may have run too";

// Finds the report of the flow in the result of a job [2.flow_output.ok], and converts its step results and its looks at checks (D-198) to what
// orch records. An engine that counts a job as failed wraps the report in an error, so orch searches there too: the steps that ran are evidence
// in both cases.

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

type ReadSteps = { readonly results: StepResult[]; readonly issue: string | null };

/**
 * Converts the step results in a flow's report to the results that orch records. The flow that orch ships reports every field. A
 * flow by another author may omit what orch can fill in, but may not contradict the plan. The results up to the first that does
 * not fit the plan, and what is wrong with that one.
 */
export function reportedSteps(reported: readonly unknown[], range: StepRange, redact: Redact): ReadSteps {
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

const FlowReport = z.looseObject({
  ok: z.boolean(),
  summary: z.string().catch(""),
  before_looks: z.unknown().optional(),
  step_results: z.array(z.unknown()).optional().catch(undefined),
});

type FlowReport = z.infer<typeof FlowReport>;

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
const faultIn = (result: unknown): JobFault | null => Failure.safeParse(result).data?.error ?? null;

/** Whether the job was cancelled. A job that reached its own time limit was cancelled by `timeout`. */
const isCancelled = ({ name, message }: JobFault): boolean => name === "Canceled" || /^Job canceled/i.test(message);
