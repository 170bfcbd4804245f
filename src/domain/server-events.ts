// What servers record of a task beyond its run: the trace that it belongs to, that none of them can run it, and what one reports that
// has lost it.
import { z } from "zod";
import { Labels } from "./labels.ts";
import { LateResult } from "./late-result.ts";

export const SERVER_EVENTS = {
  trace_joined: z
    .strictObject({ traceparent: z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/) })
    .describe("the task was submitted within a trace"),
  no_server: z
    .strictObject({ runs_on: Labels, missing: Labels.describe("what no live server has"), message: z.string() })
    .describe("a message to the supervisor: the task waits for a server, and there is none for it"),
  late_result: LateResult.describe("a message to the supervisor: it settles nothing"),
} as const;
