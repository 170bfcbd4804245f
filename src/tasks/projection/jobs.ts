// The jobs of a task on a flow engine: the last one, how jobs ended, and how much of each log is on record.
import { isJobFailure, type JobEnd, type JobFailure, wasAccepted } from "../../domain/job.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { LastJob } from "../../domain/last-job.ts";
import type { ReadOnly } from "./read-only.ts";

export type JobsState = {
  last: LastJob | null;
  ends: JobEnd[];
  /** How the last job failed the task, even where its steps passed; null once a step was settled or runs again. */
  failure: (JobEnd & { readonly code: JobFailure }) | null;
  /** Lines of each job's log that are on record, by job id. */
  lines: Map<string, number>;
};
export type JobsProjection = ReadOnly<JobsState>;

export const noJobs = (): JobsState => ({ last: null, ends: [], failure: null, lines: new Map() });

export function evolveJobs(jobs: JobsState, event: JournalEvent): void {
  switch (event.kind) {
    case "step_started":
      jobs.failure = null;
      jobs.last = submitted(jobs.last, event.body);
      break;
    case "step_resolved":
    case "retry_granted":
      jobs.failure = null;
      break;
    case "job_progressed": {
      const { job_id, lines } = event.body;
      jobs.lines.set(job_id, (jobs.lines.get(job_id) ?? 0) + lines.length);
      if (jobs.last?.job.job_id === job_id) jobs.last = { ...jobs.last, seen: true };
      break;
    }
    case "job_ended":
      jobs.ends.push(event.body);
      jobs.failure = isJobFailure(event.body.code) ? { ...event.body, code: event.body.code } : null;
      if (jobs.last?.job.job_id === event.body.job_id) jobs.last = { ...jobs.last, state: stateAfter(event.body) };
      break;
  }
}

function submitted(last: LastJob | null, { index, job }: EventBody<"step_started">): LastJob | null {
  if (job === undefined) return last;
  const seen = last?.job.job_id === job.job_id && last.seen;
  return { job, first_index: index, state: "submitted", seen };
}

const stateAfter = ({ code }: JobEnd): LastJob["state"] =>
  code === "lost" ? "lost" : wasAccepted(code) ? "ended" : "not_accepted";

/** The last job, if it may still run as far as the journal shows. */
export const openJobOf = ({ last }: JobsProjection): LastJob | null =>
  last?.state === "submitted" || last?.state === "lost" ? last : null;
