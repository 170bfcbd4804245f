// What a backend is asked to run, and to look at before it.
import type { TaskContract } from "./contract.ts";
import type { StepsOfTask } from "./flow.ts";
import type { LastJob } from "./job.ts";
import type { Step, StepResult } from "./step.ts";
import type { TraceparentOf } from "./traceparent.ts";

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
