// What the rest of orch sees of traces.
import type { JournalEvent } from "../domain/journal.ts";
import type { TraceparentOf } from "../domain/traceparent.ts";

/** Of one thread, while it is open. */
export type ThreadTrace = {
  readonly traceparentOf: TraceparentOf;
  /** Called with what has become durable. */
  readonly committed: (events: readonly JournalEvent[]) => void;
  readonly end: () => void;
};

export type Traces = {
  readonly open: (thread_id: string, events: readonly JournalEvent[]) => ThreadTrace;
  /** Sends what has not been sent, for at most two seconds. */
  readonly close: () => Promise<void>;
};
