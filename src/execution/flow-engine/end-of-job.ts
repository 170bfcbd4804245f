// What the end of a job means for its steps and for the task (spec section 3, rule 6). A job has passed only if the engine
// counts it as a success, the flow says ok, and every step that was handed over is reported as passed.
import type { JobEnd } from "../../domain/job.ts";
import type { StepResult } from "../../domain/step.ts";
import { unfinished } from "../../domain/step.ts";
import type { Redact } from "../../redact/redact.ts";
import type { Followed } from "./follow-job.ts";
import type { StepLine } from "./progress-lines.ts";
import { faultIn, isCancelled, type Report, reportIn } from "./read-report.ts";
import { kept, type Place, reportedSteps } from "./reported-steps.ts";
import type { Submission } from "./submit-job.ts";

/** Of the results the first `told` are what the job told; one behind them stands for what is not known. */
export type Ended = Omit<JobEnd, "job_id"> & { readonly results: readonly StepResult[]; readonly told: number };

type Seen = { readonly place: Place; readonly lines: readonly StepLine[]; readonly redact: Redact };

type Outcome = Exclude<Followed, { is: "left" }> | Extract<Submission, { is: "failed" }>;

export function endOfJob(followed: Outcome, seen: Seen): Ended {
  if (followed.is === "failed") return withoutReport(followed.code, followed.message, null, seen);
  if (followed.is === "lost") return withoutReport("lost", followed.message, null, seen);
  if (followed.is === "too_large") {
    return withoutReport(
      "flow_result_too_large",
      `flow engine: the result is too large: ${followed.message}`,
      null,
      seen,
    );
  }
  const { completion, text } = followed;
  const raw_result = kept(text, seen.redact).text;
  const is_success = completion.success === true;
  const report = reportIn(completion.result, is_success);
  if (report !== null) return reported(report, is_success, raw_result, seen);
  const fault = faultIn(completion.result);
  if (fault !== null && isCancelled(fault)) {
    return withoutReport("flow_cancelled", `flow engine: ${fault.message}`, raw_result, seen);
  }
  if (completion.success === false) {
    const why = fault === null ? "the job failed without a reason" : `${fault.name}: ${fault.message}`;
    return withoutReport("flow_crashed", `flow engine: the job failed: ${why}`, raw_result, seen);
  }
  return withoutReport("flow_contract_broken", `${BROKEN} has no ok that is true or false`, raw_result, seen);
}

const BROKEN = "the flow broke its output contract: its result";

function reported(report: Report, is_success: boolean, raw_result: string, seen: Seen): Ended {
  const { place, redact } = seen;
  const { results, issue } = reportedSteps(report.step_results ?? [], place, redact);
  const summary = words(report.summary, redact);
  const ended = (code: Ended["code"], message: string): Ended => ({
    ...{ code, message, raw_result: code === "passed" || code === "step_failed" ? null : raw_result },
    told: results.length,
    results: code === "passed" ? results : withMissing(results, message, seen, "failed"),
  });
  if (issue !== null) return ended("flow_contract_broken", `${BROKEN} does not fit the steps: ${issue}`);
  const isBroken = results.some(({ status }) => status !== "passed");
  if (report.ok && !is_success)
    return ended("flow_not_ok", `the flow engine does not count the job as a success: ${summary}`);
  if (report.ok && isBroken) return ended("flow_contract_broken", `${BROKEN} says ok of a step that did not pass`);
  if (report.ok && results.length < place.steps.length) {
    return ended(
      "flow_contract_broken",
      `${BROKEN} says ok, and tells of ${results.length} of ${place.steps.length} steps`,
    );
  }
  if (report.ok) return ended("passed", summary);
  return isBroken ? ended("step_failed", summary) : ended("flow_not_ok", `the flow says that it is not ok: ${summary}`);
}

/** The log of the job tells what was done; what its steps wrote is gone. */
function withoutReport(code: Ended["code"], message: string, raw_result: string | null, seen: Seen): Ended {
  const said = words(message, seen.redact);
  const logged = loggedSteps(seen);
  // The end of the last step is that of the job, and of a lost one nobody knows it.
  const isWhole = logged.length === seen.place.steps.length && logged.at(-1)?.status === "passed";
  const known = code === "lost" && isWhole ? logged.slice(0, -1) : logged;
  const results = withMissing(known, said, seen, code === "lost" ? "outcome_unknown" : "failed");
  return { code, message: said, raw_result, results, told: known.length };
}

const words = (text: string, redact: Redact): string =>
  redact(
    text
      .slice(0, MAX_SEEN)
      .replace(/[\0\s]+/g, " ")
      .trim(),
    { start: 0, end: MAX_WORDS },
  );

/** What redaction looks at, and what is told. */
const MAX_SEEN = 16_384;
const MAX_WORDS = 2_000;

const GONE = "orch: what it wrote is lost: the job ended without a report";

function loggedSteps({ place, lines }: Seen): StepResult[] {
  const { steps, first_index, attempt, started_at } = place;
  const results: StepResult[] = [];
  for (const { index, kind, end } of lines) {
    if (end === null || index !== results.length || steps[index]?.kind !== kind) continue;
    const at = { index: first_index + index, kind, attempt: index === 0 ? attempt : 1, started_at };
    results.push({ ...unfinished(at), ...end, stderr: GONE, stderr_bytes: GONE.length, truncated: true });
    if (end.status !== "passed") break;
  }
  return results;
}

/** Behind steps that passed, the first of which nothing is known stands for the fault. */
function withMissing(
  results: readonly StepResult[],
  message: string,
  { place }: Seen,
  status: "failed" | "outcome_unknown",
): StepResult[] {
  const { steps, first_index, attempt, started_at } = place;
  const position = results.length;
  const step = steps[position];
  if (step === undefined || results.some((result) => result.status !== "passed")) return [...results];
  const more = status === "outcome_unknown" && position + 1 < steps.length ? ALSO : "";
  const stderr = `orch: ${message}${more}`;
  const at = { index: first_index + position, kind: step.kind, attempt: position === 0 ? attempt : 1, started_at };
  return [...results, { ...unfinished(at), status, stderr, stderr_bytes: Buffer.byteLength(stderr) }];
}

const ALSO = "; steps behind this one may have run too";
