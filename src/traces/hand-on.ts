// Without an SDK a task hands on the trace of its submit, and no span is made.
import type { Traces } from "./port.ts";

export const handsOn = (): Traces => ({
  open: (_thread_id, events) => {
    const joined = events.find((event) => event.kind === "trace_joined");
    return { traceparentOf: () => joined?.body.traceparent, committed: () => undefined, end: () => undefined };
  },
  close: async () => undefined,
});
