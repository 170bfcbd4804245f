// A thread while a server works on it: its journal with the projection of it, and the signals to stop.
import type { Change } from "../domain/change.ts";
import type { JournalEvent, NewEvent } from "../domain/journal.ts";
import type { TraceparentOf } from "../domain/traceparent.ts";
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
