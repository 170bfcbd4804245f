// Records what a backend reports of the steps that it runs. A start is durable before its effect. An end is committed with
// the event that follows it, because it could be found out again.
import type { StepObserver } from "../ports.ts";
import type { Thread } from "./thread.ts";

/** `resumed` is the step with which a job was handed over before: its start is on record already. */
export function observeSteps({ journal, cancel, draining, leaving }: Thread, resumed: number | null): StepObserver {
  const begun = new Set([resumed]);
  const known = new Map<string, number>();
  return {
    started: async (index, attempt, { repeatable = false, job } = {}) => {
      if (cancel.aborted || draining()) return false;
      begun.add(index);
      const body = { index, attempt, ...(repeatable && { repeatable }), ...(job !== undefined && { job }) };
      return journal.begin({ kind: "step_started", body });
    },
    looked: (looks) => journal.note({ kind: "checks_looked_at", body: { looks: [...looks] } }),
    finished: (result) => {
      const { index, attempt } = result;
      if (!begun.has(index)) journal.note({ kind: "step_started", body: { index, attempt } });
      begun.add(index);
      journal.note({ kind: "step_finished", body: result });
    },
    accepted: (job_id) => journal.commit([{ kind: "job_progressed", body: { job_id, lines: [] } }]),
    progressed: async (job_id, lines) => {
      // A log that is read again from its first line repeats what is on record.
      const skipped = known.get(job_id) ?? journal.projection.jobs.lines.get(job_id) ?? 0;
      const fresh = lines.slice(skipped);
      known.set(job_id, skipped - (lines.length - fresh.length));
      if (fresh.length > 0) await journal.commit([{ kind: "job_progressed", body: { job_id, lines: fresh } }]);
    },
    waits: async (job_id, wait, tries) => {
      // A server that takes the task up again meets the same wait, which is on record.
      if (journal.projection.jobs.wait?.on === wait?.on) return;
      await journal.commit([{ kind: "job_waits", body: { job_id, wait, tries } }]);
    },
    ended: (end) => journal.note({ kind: "job_ended", body: end }),
    leaving,
  };
}
