// Before a task makes another job, the one that was given up as lost is looked at once more: it may have gone on since.
// What it has run counts, and is not run again.
import type { StepResult } from "../../domain/step.ts";
import type { RunRequest } from "../../ports.ts";
import type { Redact } from "../../redact.ts";
import { type Ended, endOfJob } from "./end-of-job.ts";
import { type EngineApi, wordsOf } from "./engine-api.ts";
import { followJob } from "./follow-job.ts";
import type { JobLog } from "./read-log.ts";
import type { Timing } from "./timing.ts";

type Deps = {
  readonly api: EngineApi;
  readonly timing: Timing;
  readonly log: JobLog;
  readonly leaving: () => boolean;
  readonly redact: Redact;
};

type LostJob = NonNullable<RunRequest["last_job"]>;

export type Adopted =
  /** Steps that it has run, and that passed. Nothing behind them has run, or will. */
  | { readonly is: "over"; readonly results: readonly StepResult[] }
  /** It tells how the run ends, or that this can still not be known. */
  | { readonly is: "ended"; readonly ended: Ended }
  | { readonly is: "left" };

export async function adoptLostJob(
  deps: Deps,
  request: RunRequest,
  lost: LostJob,
  signal: AbortSignal,
): Promise<Adopted> {
  const { api, log, redact } = deps;
  const { job_id } = lost.job;
  const view = await api.view(job_id);
  if (view.is === "refused" && view.status === 404) return { is: "over", results: [] };
  const started_at = new Date(0).toISOString();
  const stillLost = (message: string): Adopted => {
    const seen = { place: { ...request, started_at }, lines: [], redact };
    return { is: "ended", ended: endOfJob({ is: "lost", message }, seen) };
  };
  if (view.is !== "ok") return stillLost(`flow engine: the job that was lost cannot be looked at (${wordsOf(view)})`);
  const followed = await followJob(deps, { job_id, certain: true }, signal);
  if (followed.is === "left") return followed;
  if (followed.is === "lost") return stillLost(followed.message);
  const place = { steps: lost.steps, first_index: lost.first_index, attempt: 1, started_at };
  return adopted(endOfJob(followed, { place, lines: log.steps(), redact }), request);
}

function adopted(ended: Ended, { steps, first_index, attempt }: RunRequest): Adopted {
  const told = ended.results
    .slice(0, ended.told)
    .filter(({ index }) => index >= first_index)
    .map((result) => (result.index === first_index ? { ...result, attempt } : result));
  const broken = told.find(({ status }) => status !== "passed");
  // The supervisor wants it run again, and now it is certain that it is over.
  if (broken?.index === first_index && attempt > 1) return { is: "over", results: [] };
  if (broken === undefined && told.length < steps.length) return { is: "over", results: told };
  return { is: "ended", ended: { ...ended, results: told } };
}
