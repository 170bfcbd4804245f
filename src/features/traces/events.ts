// Defines what the journal of a task records of the trace in which it was submitted.
import { z } from "zod";
import { event } from "../../domain/event.ts";

export const TRACE_EVENTS = {
  trace_joined: event({
    body: z
      .strictObject({ traceparent: z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/) })
      .describe("the task was submitted within a trace"),
    level: 57,
    text: ({ traceparent }) => ({ about: "trace", text: traceparent }),
  }),
};
