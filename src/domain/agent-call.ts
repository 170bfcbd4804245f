// A call of an agent as the journal records it: what the model asked for, the verdict of policy, and the result.
import { z } from "zod";
import { CallEffect } from "./agent-events.ts";
import { AgentStep } from "./agent-step.ts";
import { Finding } from "./finding.ts";
import { JsonValue } from "./json.ts";
import { StepResult } from "./step.ts";

const CALL_STATES = [
  "asked",
  "waiting",
  "ready",
  "refused",
  "faulty",
  "rejected",
  "started",
  "unknown",
  "ended",
] as const;

export const AgentCall = z.strictObject({
  index: z.int().min(0),
  turn: z.int().min(1),
  call_id: z.string(),
  name: z.string(),
  arguments: JsonValue,
  added: z.boolean().describe("by orch, for a check that finish names"),
  state: z
    .enum(CALL_STATES)
    .describe("waiting: for an approval; started: its end is not on record; unknown: it got no answer"),
  reason: z.string().nullable().describe("why it was refused, or is no call, or what a human said"),
  step: AgentStep.nullable(),
  effect: CallEffect,
  findings: z.array(Finding),
  approval_id: z.string().nullable(),
  attempt: z.int().min(1),
  result: StepResult.nullable(),
});
export type AgentCall = z.infer<typeof AgentCall>;
