// What a backend is asked to run, and to look at before it.
import type { TaskContract } from "./contract.ts";
import type { FlowInput } from "./flow.ts";
import type { LastJob } from "./job.ts";
import type { Step } from "./step.ts";

/** `look_at`: the checks that it may have looked at. */
type JobPlan = { readonly steps: readonly Step[]; readonly look_at?: readonly number[] };

/**
 * `first_index` and `attempt` place the given steps in the plan. `started_at` is when an interrupted step began.
 * `last_job` is the task's last job with the steps that it was given: with `submitted` nothing is started, and the end of
 * that job is the answer.
 */
export type RunRequest = Omit<FlowInput, "context"> & {
  readonly first_index: number;
  readonly attempt: number;
  readonly started_at?: string | undefined;
  /** What checks that compare with it printed before the change, by their index in the plan: their ORCH_BEFORE. */
  readonly before?: ReadonlyMap<number, string>;
  /** Checks of the plan that a backend which looks in its run runs once before the first step, by their index in the plan. */
  readonly look_at?: readonly number[];
  readonly last_job?: (LastJob & JobPlan) | undefined;
};

export type LookRequest = {
  readonly task_contract: TaskContract;
  readonly checks: readonly { readonly step_index: number; readonly step: Step }[];
};
