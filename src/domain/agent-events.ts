// The events of an agent run: the tools it was given, the replies of the model, the verdict of policy on each call, and the end
// of the run. The calls themselves are recorded as steps.
import { z } from "zod";
import { AgentStep } from "./agent-step.ts";
import { Finding } from "./finding.ts";
import { JsonValue } from "./json.ts";
import { REASON_CODES } from "./reason-code.ts";

export const AGENT_BACKENDS = ["plain", "react"] as const;
export const AgentBackendName = z.enum(AGENT_BACKENDS);
export type AgentBackendName = z.infer<typeof AgentBackendName>;

const Index = z.int().min(0).describe("of the call, counted over the whole run");

export const AgentEquipped = z.strictObject({
  agent_backend: AgentBackendName,
  model: z.string(),
  tools: z.array(z.string()),
  missing: z.array(z.string()).describe("tool servers in scope that did not tell their tools, and why"),
});
export type AgentEquipped = z.infer<typeof AgentEquipped>;

export const AgentReplied = z.strictObject({
  turn: z.int().min(1),
  text: z.string(),
  thinking: z.string().nullable(),
  calls: z.array(
    z.strictObject({
      index: Index,
      call_id: z.string(),
      name: z.string(),
      arguments: JsonValue,
      added: z.literal(true).optional().describe("by orch: a check that finish names and that has to be run for it"),
    }),
  ),
  fault: z.string().nullable().describe("why there is no reply"),
  latency_ms: z.number(),
});
export type AgentReplied = z.infer<typeof AgentReplied>;

const CALL_VERDICTS = ["allow", "ask", "refuse", "fault"] as const;

/** What is not known to look only changes something; of a check, which says that it only looks, it is unknown. */
export const CallEffect = z.enum(["reads", "unknown", "changes"]);

export const AgentCallJudged = z.strictObject({
  index: Index,
  verdict: z.enum(CALL_VERDICTS).describe("fault: it is no call that could be made"),
  reason: z.string().nullable(),
  step: AgentStep.nullable().describe("the step that the call makes; null for finish, and for a call that makes none"),
  effect: CallEffect,
  findings: z.array(Finding),
});
export type AgentCallJudged = z.infer<typeof AgentCallJudged>;

/** What the tool `finish` takes. */
export const Finish = z.strictObject({
  summary: z.string().min(1, "say what was done").max(8192),
  criteria: z
    .array(
      z.strictObject({
        criterion: z.union([z.string().max(1024), z.int()]).describe("the success criterion, or its number from 1"),
        evidence_check: z
          .union([z.string().max(16_384), z.int()])
          .describe("the command of the check that proves it, or the number of that call"),
      }),
    )
    .max(100)
    .default([]),
  done: z.boolean().default(true).describe("false when the task could not be done"),
});
export type Finish = z.infer<typeof Finish>;

export const AgentFinished = Finish.extend({ index: Index });

export const AgentStopped = z.strictObject({
  reason_code: z.enum(REASON_CODES),
  message: z.string(),
});
export type AgentStopped = z.infer<typeof AgentStopped>;
