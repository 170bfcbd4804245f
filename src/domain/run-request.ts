// Defines what a backend is asked to run, and to look at before it, what it answers, and the job in which a flow engine runs the remaining
// steps of a plan.
import { z } from "zod";
import type { Target, TaskContract } from "./contract.ts";
import type { Json } from "./json.ts";
import { BeforeLook } from "./proof.ts";
import { JOB_FAILURES, type JobFailure } from "./reason-code.ts";
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

// A job of the flow engine: the remaining steps of a plan, submitted together (D-097). orch records the id before it
// submits the job, so that it finds the job again and never submits the steps under a second id (D-099).

export const Job = z.strictObject({
  job_id: z.uuid(),
  through: z.int().min(0).describe("index of the last step of the plan in the job"),
  engine: z.string().describe("address and workspace; orch looks for the job and submits it only there"),
});
export type Job = z.infer<typeof Job>;

/** What a job waits for while it does not go on (D-270). */
export const JobWait = z.strictObject({
  on: z.enum(["queue", "job_unknown", "engine_refuses", "engine_unavailable"]),
  message: z.string(),
  since: z.iso.datetime(),
});
export type JobWait = z.infer<typeof JobWait>;

/** No step ran, and the failure can be transient: the routing model is asked, as for a failed step. */
export const mayPass = (code: JobFailure): boolean => code === "engine_unreachable" || code === "engine_unavailable";

/** The codes of a job that the engine has not accepted (D-100). */
const NOT_ACCEPTED: readonly string[] = [
  "flow_not_found",
  "engine_refused",
  "engine_unreachable",
  "engine_unavailable",
];
export const wasAccepted = (code: string): boolean => !NOT_ACCEPTED.includes(code);

/** `passed` and `step_failed`: the step results are complete. `lost`: the end of the job is unknown (D-103). */
const JobOutcome = z.strictObject({
  code: z.enum(["passed", "step_failed", "lost", ...JOB_FAILURES]),
  message: z.string(),
  raw_result: z.string().nullable().describe("head and tail of the engine's result when it breaks the contract"),
});
export type JobOutcome = z.infer<typeof JobOutcome>;

export const JobEnd = z.strictObject({ job_id: z.uuid(), ...JobOutcome.shape });
export type JobEnd = z.infer<typeof JobEnd>;

export const isJobFailure = (code: JobEnd["code"]): code is JobFailure =>
  (JOB_FAILURES as readonly string[]).includes(code);

/** The last job of a task, according to the journal. The next job must not run a step that this job has run. */
export type LastJob = {
  readonly job: Job;
  readonly first_index: number;
  /**
   * `submitted`: the journal has no end of the job. `not_accepted`: the engine has not accepted it; the next attempt
   * uses the same id (D-100). `lost`: its end is unknown (D-103).
   */
  readonly state: "submitted" | "not_accepted" | "lost" | "ended";
  readonly seen: boolean;
};
