// The input and output of the generic flow. Every backend returns the output [2.flow_output.ok] [4.flow.invoke].
import { z } from "zod";
import type { TaskContract } from "./contract.ts";
import type { Json } from "./json.ts";
import { BeforeLook } from "./proof.ts";
import { type Step, StepResult } from "./step.ts";
import type { Target } from "./target.ts";

type FlowContext = {
  readonly target: Target;
  readonly payload: { readonly [key: string]: Json };
  readonly mcp_servers: { readonly [server: string]: { readonly url: string; readonly token: string } };
  /** The checks among the steps that are to be run once before the first of them (D-198). */
  readonly look_at?: readonly number[];
  /**
   * ORCH_BEFORE of checks that were looked at before an earlier job, by their index: an object as JSON text, because an engine
   * resolves references in texts.
   */
  readonly before?: string;
  /** The steps of whose pipelines only the last part counts (D-411). */
  readonly last_part_decides?: readonly number[];
  /** Of the trace that the steps belong to. */
  readonly traceparent?: string;
};

/** The steps that are run for a task. */
export type StepsOfTask = {
  readonly task_contract: TaskContract;
  readonly steps: readonly Step[];
};

export type FlowInput = StepsOfTask & { readonly context: FlowContext };

const FlowEvidence = z.strictObject({
  executed_commands: z.array(z.string()),
  key_outputs: z.array(z.string()),
});

export const FlowOutput = z.strictObject({
  ok: z.boolean(),
  summary: z.string(),
  step_results: z.array(StepResult),
  evidence: FlowEvidence,
  before_looks: z.array(BeforeLook).optional().describe("of the checks in look_at; step_index counts within the steps"),
});
export type FlowOutput = z.infer<typeof FlowOutput>;
