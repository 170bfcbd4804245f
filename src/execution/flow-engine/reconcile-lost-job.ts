// Examines a lost job again before the task makes another one: the lost job may have continued since (D-103). Steps that
// it has run count, and do not run again.

import type { RunRequest } from "../../domain/run-request.ts";
import type { StepResult } from "../../domain/step.ts";
import { unfinished } from "../../domain/step.ts";
import type { Redact } from "../../redact/redact.ts";
import { type Ended, endOfJob } from "./end-of-job.ts";
import { describeFailure, type EngineApi } from "./engine-api.ts";
import { followJob } from "./follow-job.ts";
import type { StepLine } from "./progress-lines.ts";
import type { JobLog } from "./read-log.ts";
import type { Timing } from "./timing.ts";
import type { WaitWatch } from "./wait-watch.ts";

type Deps = {
  /** For results that have no time. */
  readonly started_at: string;
  readonly api: EngineApi;
  readonly timing: Timing;
  readonly log: JobLog;
  readonly wait: WaitWatch;
  readonly leaving: () => boolean;
  readonly redact: Redact;
};

type LostJob = NonNullable<RunRequest["last_job"]>;

export type Reconciled =
  /** Steps that the job has run and that passed; no later step has run or will run. `ended` is null if the job is gone. */
  | { readonly is: "over"; readonly results: readonly StepResult[]; readonly ended: Ended | null }
  /** The job determines how the run ends, or it is still unknown. */
  | { readonly is: "ended"; readonly ended: Ended }
  | { readonly is: "suspended" };

export async function reconcileLostJob(
  deps: Deps,
  request: RunRequest,
  lost: LostJob,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { api, log, redact, started_at } = deps;
  const { job_id } = lost.job;
  const view = await api.view(job_id);
  const stillLost = (message: string): Reconciled => {
    const context = { range: { ...request, started_at }, lines: [], redact };
    return { is: "ended", ended: endOfJob({ is: "lost", message }, context) };
  };
  const isUnknown = view.is === "refused" && view.status === 404;
  if (view.is !== "ok" && !isUnknown)
    return stillLost(`flow engine: the lost job cannot be examined (${describeFailure(view)})`);
  // The engine may not know the job for a moment, for example while it restarts.
  const followed = await followJob(deps, { job_id, certain: false }, signal);
  if (followed.is === "suspended") return followed;
  if (followed.is === "lost") {
    // A job that the engine never showed counts as never submitted. For any other job the supervisor decides.
    const isGone = isUnknown && (!lost.seen || request.attempt > 1) && !signal.aborted;
    return isGone
      ? { is: "over", results: [], ended: null }
      : stillLost(`${followed.message}; it is not known which other steps it has run`);
  }
  const range = { steps: lost.steps, first_index: lost.first_index, attempt: 1, started_at, look_at: lost.look_at };
  const lines = log.steps();
  const ended = endOfJob(followed, { range, lines, redact });
  return reconciled(ended, { ...request, started_at }, (index) => stoppedBefore(index, ended, lines, lost.first_index));
}

/** How the job has ended, if it has; it is not waited for. */
export async function endOfLost(deps: Deps, { job, steps, first_index, look_at }: LostJob): Promise<Ended | null> {
  let looks = 0;
  const once = { ...deps, leaving: () => looks++ > 0, wait: { saw: async () => undefined, close: () => undefined } };
  const { signal } = new AbortController();
  const followed = await followJob(once, { job_id: job.job_id, certain: false }, signal);
  if (followed.is !== "completed") return null;
  const range = { steps, first_index, look_at, attempt: 1, started_at: deps.started_at };
  return endOfJob(followed, { range, lines: deps.log.steps(), redact: deps.redact });
}

/** The job is over: no step of it will run any more. The supervisor is asked about a step that it may have run. */
function reconciled(
  ended: Ended,
  request: RunRequest & { readonly started_at: string },
  stoppedBefore: (index: number) => boolean,
): Reconciled {
  const { steps, first_index, attempt, started_at } = request;
  const known = ended.results
    .slice(0, ended.known_count)
    .filter(({ index }) => index >= first_index)
    .map((result) => (result.index === first_index ? { ...result, attempt } : result));
  const broken = known.find(({ status }) => status !== "passed");
  // The supervisor wants the step to run again, with any result.
  const isWanted = attempt > 1 && (broken?.index === first_index || known.length === 0);
  if (isWanted) return { is: "over", results: [], ended };
  if (broken !== undefined || known.length === steps.length)
    return { is: "ended", ended: { ...ended, results: known } };
  const index = first_index + known.length;
  if (stoppedBefore(index)) return { is: "over", results: known, ended };
  const kind = steps[known.length]?.kind ?? "cmd";
  const message = `${ended.message}; it is not known whether the job had started step ${index}`;
  const open = { ...unfinished({ index, attempt: 1, kind, started_at }), stderr: `orch: ${message}` };
  return { is: "ended", ended: { ...ended, code: "lost", message, results: [...known, open] } };
}

/** Whether the report or the log shows that the job ended in an earlier step. */
function stoppedBefore(index: number, ended: Ended, lines: readonly StepLine[], first_index: number): boolean {
  const last = ended.results[ended.known_count - 1];
  if (last !== undefined && last.status !== "passed") return last.index < index;
  const begun = lines.at(-1);
  return begun !== undefined && begun.end === null && first_index + begun.index < index;
}
