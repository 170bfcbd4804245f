// What the rest of orch sees of traces.
import type { JournalEvent } from "./journal.ts";
import type { TraceparentOf } from "./traceparent.ts";

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
