// Defines a thread while a server works on it: its journal with the projection of it, the signals to stop, and how it records what a
// backend reports of the steps that it runs.

import type { Change } from "../../domain/change.ts";
import type { JournalEvent, NewEvent } from "../../domain/journal.ts";
import type { TraceparentOf } from "../../domain/trace-mark.ts";
import type { StepObserver } from "../../ports.ts";
import type { Projection } from "./projection.ts";

export interface ThreadJournal {
  readonly events: readonly JournalEvent[];
  /** What all events say, noted ones included. Kept up to date: read it again after anything was noted or committed. */
  readonly projection: Projection;
  /**
   * What a commit met. `lost_tail`: the database has lost events that are known here, so they must not be replayed. `target_held`:
   * another task has the target, and nothing of this one runs yet.
   */
  readonly met: { readonly lost_tail: boolean; readonly target_held: boolean };
  /** Kept in memory until the next commit, with the changes that belong to it: for facts that could be found again after a crash. */
  note(event: NewEvent, changes?: readonly Change[]): void;
  /** Durable when it resolves. Rejects with `fenced` when another owner has claimed the thread. */
  commit(events: readonly NewEvent[], changes?: readonly Change[]): Promise<void>;
  /** The start of a step. False where a request to cancel was written before it: then nothing is written (D-331). */
  begin(start: NewEvent): Promise<boolean>;
  /** Makes the noted events durable. */
  flush(): Promise<void>;
  /** The same as `commit`, for changes that may fail to hold: returns the one that did not, with nothing written. */
  tryCommit(events: readonly NewEvent[], changes: readonly Change[]): Promise<Change | null>;
}

export interface Thread {
  readonly journal: ThreadJournal;
  /** Aborted when the task is cancelled: the running step is killed. */
  readonly cancel: AbortSignal;
  /** True once the server shuts down: the running step may finish, no other starts. */
  readonly draining: () => boolean;
  /** Where nothing is traced, the submit's own. */
  readonly traceparentOf?: TraceparentOf;
  /** Aborted from then on: for what may be broken off because it changes nothing. */
  readonly leaving: AbortSignal;
}

export type ThreadOf = (thread_id: string) => Promise<Thread>;

/** What a run hands on of the trace of its thread. */
export const tracing = ({ traceparentOf }: Pick<Thread, "traceparentOf">) =>
  traceparentOf === undefined ? {} : { traceparentOf };

// What the rest of orch sees of traces.

/** Of one thread, while it is open. */
export type ThreadTrace = {
  readonly traceparentOf: TraceparentOf;
  readonly committed: (events: readonly JournalEvent[]) => void;
  readonly end: () => void;
};

export type Traces = {
  readonly open: (thread_id: string, events: readonly JournalEvent[]) => ThreadTrace;
  /** Sends what has not been sent, for at most two seconds. */
  readonly close: () => Promise<void>;
};

// Without an SDK a task hands on the trace of its submit, and no span is made.

export const handsOn = (): Traces => ({
  open: (_thread_id, events) => {
    const joined = events.find((event) => event.kind === "trace_joined");
    return { traceparentOf: () => joined?.body.traceparent, committed: () => undefined, end: () => undefined };
  },
  close: async () => undefined,
});

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
