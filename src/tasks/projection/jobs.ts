// The jobs of a task on a flow engine: the last one, the ends of all, and the number of recorded lines of each log.
import { isJobFailure, type JobEnd, type JobFailure, type LastJob, wasAccepted } from "../../domain/job.ts";
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import type { ReadOnly } from "./read-only.ts";

export type JobsState = {
  last: LastJob | null;
  ends: JobEnd[];
  /** The failure of the last job. It counts even when every step passed. Null after a step is settled or starts. */
  failure: (JobEnd & { readonly code: JobFailure }) | null;
  /** The number of recorded lines of each job's log, by job id. */
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

/** The last job when, according to the journal, it can still be running; else null. */
export const openJobOf = ({ last }: JobsProjection): LastJob | null =>
  last?.state === "submitted" || last?.state === "lost" ? last : null;
