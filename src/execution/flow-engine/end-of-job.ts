// Says what the end of a job means for its steps and for the task [3.rule.6]. A job has passed only if the engine counts it as a
// success, the flow returns ok, and the flow reports every submitted step as passed (D-101).

import type { BeforeLook } from "../../domain/proof.ts";
import type { JobOutcome } from "../../domain/run-request.ts";
import { type StepResult, unfinished } from "../../domain/step.ts";
import type { Redact } from "../../redact/find-secrets.ts";
import {
  type FlowReport,
  faultIn,
  isCancelled,
  kept,
  reportedLooks,
  reportedSteps,
  reportIn,
  type StepRange,
} from "./flow-report.ts";
import type { Followed } from "./follow-job.ts";
import type { StepLine } from "./job-log.ts";
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
