// What a backend is asked to run, and to look at before it.
import { z } from "zod";
import type { Target, TaskContract } from "./contract.ts";
import type { LastJob } from "./job.ts";
import type { Json } from "./json.ts";
import { BeforeLook } from "./proof.ts";
import { type Step, StepResult } from "./step.ts";
import type { TraceparentOf } from "./trace-mark.ts";

/** `look_at`: the checks that it may have looked at. */
type JobPlan = { readonly steps: readonly Step[]; readonly look_at?: readonly number[] };

/**
 * `first_index` and `attempt` place the given steps in the plan. `started_at` is when an interrupted step began.
 * `last_job` is the task's last job with the steps that it was given: with `submitted` nothing is started, and the end of
 * that job is the answer.
 */
export type RunRequest = StepsOfTask & {
  /** The labels that the task needs, where a backend chooses who runs it. */
  readonly runs_on?: readonly string[] | undefined;
  readonly first_index: number;
  readonly attempt: number;
  readonly started_at?: string | undefined;
  /** What checks that compare with it printed before the change, by their index in the plan: their ORCH_BEFORE. */
  readonly before?: ReadonlyMap<number, string>;
  /** Checks of the plan that a backend which looks in its run runs once before the first step, by their index in the plan. */
  readonly look_at?: readonly number[];
  readonly last_job?: (LastJob & JobPlan) | undefined;
  readonly traceparentOf?: TraceparentOf;
};

export type LookRequest = {
  readonly task_contract: TaskContract;
  readonly checks: readonly { readonly step_index: number; readonly step: Step }[];
};

/** A command that says whether a step of unknown outcome is done (D-299). `last_job`: the job that had the step. */
export type ReconcileRequest = {
  readonly task_contract: TaskContract;
  readonly index: number;
  readonly attempt: number;
  readonly command: string;
  readonly runs_on?: readonly string[] | undefined;
  readonly last_job?: LastJob | undefined;
  /** Aborted once the server shuts down: the command is not waited for. */
  readonly leaving: AbortSignal;
};

/** How the command ended: without an exit code where it was not run. `may_run`: why the step may still run; null where it cannot. */
export type ReconcileLook = Pick<StepResult, "exit_code" | "timed_out" | "stdout" | "stderr" | "duration_ms"> & {
  readonly may_run: string | null;
};

// The input and output of the generic flow. Every backend returns the output [2.flow_output.ok] [4.flow.invoke].

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
type StepsOfTask = {
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
