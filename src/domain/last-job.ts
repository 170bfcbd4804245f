// The last job of a task as the journal knows it: whoever makes the next one must not run a step that it has run.
import type { Job } from "./job.ts";
import { wasAccepted } from "./job.ts";
import type { JournalEvent } from "./journal.ts";

export type LastJob = {
  readonly job: Job;
  /** The first step that was handed over with it. */
  readonly first_index: number;
  /**
   * `handed_over`: its end is not on record. `not_accepted`: the engine has not taken it, and its id stands for it still. `lost`:
   * nobody knows how it ended.
   */
  readonly state: "handed_over" | "not_accepted" | "lost" | "ended";
  /** Whether the engine has told of it. */
  readonly seen: boolean;
};

export function lastJobOf(events: readonly JournalEvent[]): LastJob | undefined {
  let last: LastJob | undefined;
  for (const { kind, body } of events) {
    if (kind === "step_started" && body.job !== undefined) {
      const seen = last?.job.job_id === body.job.job_id && last.seen;
      last = { job: body.job, first_index: body.index, state: "handed_over", seen };
    } else if (last !== undefined && kind === "job_progressed" && body.job_id === last.job.job_id) {
      last = { ...last, seen: true };
    } else if (last !== undefined && kind === "job_ended" && body.job_id === last.job.job_id) {
      last = { ...last, state: body.code === "lost" ? "lost" : wasAccepted(body.code) ? "ended" : "not_accepted" };
    }
  }
  return last;
}

/** A job that may still run, as far as the journal knows. */
export function openJobOf(events: readonly JournalEvent[]): LastJob | undefined {
  const last = lastJobOf(events);
  return last?.state === "handed_over" || last?.state === "lost" ? last : undefined;
}
