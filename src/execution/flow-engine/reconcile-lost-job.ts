// Before a task makes another job, the one that was given up as lost is looked at once more: it may have gone on since.
// What it has run counts, and is not run again.

import type { StepResult } from "../../domain/step.ts";
import { unfinished } from "../../domain/step.ts";
import type { RunRequest } from "../../ports.ts";
import type { Redact } from "../../redact/redact.ts";
import { type Ended, endOfJob } from "./end-of-job.ts";
import { type EngineApi, wordsOf } from "./engine-api.ts";
import { followJob } from "./follow-job.ts";
import type { StepLine } from "./progress-lines.ts";
import type { JobLog } from "./read-log.ts";
import type { Timing } from "./timing.ts";

type Deps = {
  /** Of results that bear no time of their own. */
  readonly started_at: string;
  readonly api: EngineApi;
  readonly timing: Timing;
  readonly log: JobLog;
  readonly leaving: () => boolean;
  readonly redact: Redact;
};

type LostJob = NonNullable<RunRequest["last_job"]>;

export type Reconciled =
  /** Steps that it has run, and that passed; nothing behind them has run, or will. `ended` is null where it is just gone. */
  | { readonly is: "over"; readonly results: readonly StepResult[]; readonly ended: Ended | null }
  /** It tells how the run ends, or that this can still not be known. */
  | { readonly is: "ended"; readonly ended: Ended }
  | { readonly is: "left" };

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
    const seen = { place: { ...request, started_at }, lines: [], redact };
    return { is: "ended", ended: endOfJob({ is: "lost", message }, seen) };
  };
  const isUnknown = view.is === "refused" && view.status === 404;
  if (view.is !== "ok" && !isUnknown)
    return stillLost(`flow engine: the job that was lost cannot be looked at (${wordsOf(view)})`);
  // Whoever answers may not know it for a moment, for instance while the engine comes back.
  const followed = await followJob(deps, { job_id, certain: false }, signal);
  if (followed.is === "left") return followed;
  if (followed.is === "lost") {
    // One that was never taken has never been there, as far as anybody knows; else the supervisor has the last word.
    const isGone = isUnknown && (!lost.seen || request.attempt > 1) && !signal.aborted;
    return isGone
      ? { is: "over", results: [], ended: null }
      : stillLost(`${followed.message}; what else it has run is not known`);
  }
  const place = { steps: lost.steps, first_index: lost.first_index, attempt: 1, started_at };
  const lines = log.steps();
  const ended = endOfJob(followed, { place, lines, redact });
  return reconciled(ended, { ...request, started_at }, (index) => stoppedBefore(index, ended, lines, lost.first_index));
}

/** The job is over: nothing of it will run any more. What it has run counts; what it may have run is asked about. */
function reconciled(
  ended: Ended,
  request: RunRequest & { readonly started_at: string },
  stoppedBefore: (index: number) => boolean,
): Reconciled {
  const { steps, first_index, attempt, started_at } = request;
  const told = ended.results
    .slice(0, ended.told)
    .filter(({ index }) => index >= first_index)
    .map((result) => (result.index === first_index ? { ...result, attempt } : result));
  const broken = told.find(({ status }) => status !== "passed");
  // The supervisor wants it run again, whatever became of it.
  const isWanted = attempt > 1 && (broken?.index === first_index || told.length === 0);
  if (isWanted) return { is: "over", results: [], ended };
  if (broken !== undefined || told.length === steps.length) return { is: "ended", ended: { ...ended, results: told } };
  const index = first_index + told.length;
  if (stoppedBefore(index)) return { is: "over", results: told, ended };
  const kind = steps[told.length]?.kind ?? "cmd";
  const message = `${ended.message}; whether the job had begun step ${index} is not known`;
  const open = { ...unfinished({ index, attempt: 1, kind, started_at }), stderr: `orch: ${message}` };
  return { is: "ended", ended: { ...ended, code: "lost", message, results: [...told, open] } };
}

/** Whether the job has told that it came to its end in an earlier step. */
function stoppedBefore(index: number, ended: Ended, lines: readonly StepLine[], first_index: number): boolean {
  const last = ended.results[ended.told - 1];
  if (last !== undefined && last.status !== "passed") return last.index < index;
  const begun = lines.at(-1);
  return begun !== undefined && begun.end === null && first_index + begun.index < index;
}
