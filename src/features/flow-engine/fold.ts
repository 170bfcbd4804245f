// Folds the jobs that ran steps on a flow engine: the last one, the ends of all, and the number of recorded lines of each log.

import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { JobFailure } from "../../domain/reason-code.ts";
import { isJobFailure, type JobEnd, type JobWait, type LastJob, wasAccepted } from "../../domain/run-request.ts";
import type { Fold, ReadOnly } from "../../engine/tasks/fold.ts";

type JobsState = {
  last: LastJob | null;
  ends: JobEnd[];
  /** The failure of the last job. It counts even when every step passed. Null after a step is settled or starts. */
  failure: (JobEnd & { readonly code: JobFailure }) | null;
  /** The number of recorded lines of each job's log, by job id. */
  lines: Map<string, number>;
  /** What the last job waits for; null when it goes on or has ended. */
  wait: (JobWait & { readonly job_id: string; readonly tries: number }) | null;
};
type JobsProjection = ReadOnly<JobsState>;

const noJobs = (): JobsState => ({ last: null, ends: [], failure: null, lines: new Map(), wait: null });

function evolveJobs(jobs: JobsState, event: JournalEvent): void {
  switch (event.kind) {
    case "step_started":
      jobs.failure = null;
      jobs.last = submitted(jobs.last, event.body);
      break;
    case "step_resolved":
    case "step_reconciled":
    case "retry_granted":
      jobs.failure = null;
      break;
    case "job_progressed": {
      const { job_id, lines } = event.body;
      jobs.lines.set(job_id, (jobs.lines.get(job_id) ?? 0) + lines.length);
      if (jobs.last?.job.job_id === job_id) jobs.last = { ...jobs.last, seen: true };
      break;
    }
    case "job_waits": {
      const { job_id, wait, tries } = event.body;
      jobs.wait = wait === null ? null : { ...wait, job_id, tries };
      break;
    }
    case "job_ended":
      jobs.wait = null;
      jobs.ends.push(event.body);
      jobs.failure = isJobFailure(event.body.code) ? { ...event.body, code: event.body.code } : null;
      if (jobs.last?.job.job_id === event.body.job_id) jobs.last = { ...jobs.last, state: jobStateAfter(event.body) };
      break;
  }
}

function submitted(last: LastJob | null, { index, job }: EventBody<"step_started">): LastJob | null {
  if (job === undefined) return last;
  const seen = last?.job.job_id === job.job_id && last.seen;
  return { job, first_index: index, state: "submitted", seen };
}

const jobStateAfter = ({ code }: JobEnd): LastJob["state"] =>
  code === "lost" ? "lost" : wasAccepted(code) ? "ended" : "not_accepted";

/** The last job when, according to the journal, it can still be running; else null. */
export const openJobOf = ({ last }: JobsProjection): LastJob | null =>
  last?.state === "submitted" || last?.state === "lost" ? last : null;

export const JOBS: Fold<JobsState> = { initial: noJobs, evolve: evolveJobs };
