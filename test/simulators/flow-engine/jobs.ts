// The jobs of the simulated flow engine: what is kept of each, and how the engine shows them, in the types of its official client.
import { randomUUID } from "node:crypto";
import type { FlowStatus, FlowStatusModule, Job as ShownJob } from "windmill-client";
import type { FlowJob } from "./flow-job.ts";

/** How the script of a job ended. A failure's `result` is `{error: {name, message, …}}`. */
export type Ending = { readonly success: boolean; readonly result: unknown };

type Canceled = { readonly by: string; readonly reason: string };

export type Job = {
  readonly id: string;
  /** The job of the flow's only module: the script's log is its log. */
  readonly module_id: string;
  readonly workspace: string;
  readonly path: string;
  /** That it was asked for with: only workers of this tag take it, and its module runs in the same worker. */
  readonly tag: string | null;
  /** As they were sent: references in them are resolved for the script alone. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The one the script is given as WM_TOKEN. */
  readonly token: string;
  readonly created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  canceled: Canceled | null;
  /** Null until the job is completed. */
  ending: Ending | null;
  /** Every process of the script, oldest first. */
  readonly processes: FlowJob[];
  /** How many further look-ups are answered that there is no such job. */
  unknown_for: number;
  readonly completed: PromiseWithResolvers<void>;
};

type NewJob = Pick<Job, "id" | "workspace" | "path" | "tag" | "args" | "created_at" | "unknown_for">;

export const newJob = (given: NewJob): Job => ({
  ...given,
  module_id: randomUUID(),
  token: randomUUID(),
  started_at: null,
  completed_at: null,
  canceled: null,
  ending: null,
  processes: [],
  completed: Promise.withResolvers<void>(),
});

/** A result with a string `windmill_failure` counts as a failure, and is wrapped like one. */
export function storedEnding({ success, result }: Ending): Ending {
  const says_failure =
    typeof result === "object" && result !== null && "windmill_failure" in result
      ? typeof result.windmill_failure === "string"
      : false;
  return success && says_failure ? { success: false, result: { error: result } } : { success, result: result ?? null };
}

export const failure = (name: string, message: string, more: object = {}): Ending => ({
  success: false,
  result: { error: { name, message, ...more } },
});

export const canceledEnding = ({ by, reason }: Canceled): Ending =>
  failure("Canceled", `Job canceled: ${reason} by ${by}`, { reason, canceler: by });

const RESTARTED = "\nRestarted job after not receiving job's ping for too long (1/3 attempts)\n\n";

/** The log of the module's job is what the script wrote; the flow's own says next to nothing. */
export function logOf(job: Job, id: string): string {
  if (job.started_at === null) return "";
  if (id === job.id) return `job=${job.id} tag=${job.tag ?? "flow"} worker=wk-1 hostname=engine\n`;
  const head = `job=${job.module_id} tag=${job.tag ?? "bun"} worker=wk-1 hostname=engine\n\n--- BUN CODE EXECUTION ---\n\n`;
  return job.processes.map((process) => head + process.log()).join(RESTARTED);
}

export function flowStatus(job: Job): FlowStatus {
  const state = job.ending === null ? "InProgress" : job.ending.success ? "Success" : "Failure";
  const module: FlowStatusModule =
    job.started_at === null
      ? { type: "WaitingForPriorSteps", id: "run_steps" }
      : { type: state, id: "run_steps", job: job.module_id };
  return {
    step: job.ending?.success === true ? 1 : 0,
    modules: [module],
    failure_module: { type: "WaitingForPriorSteps", id: "failure" },
  };
}

/** The job as `jobs_u/get` shows it, the flow's or its module's. Results above `too_big` characters are left out of it. */
export function jobView(job: Job, id: string, show: { readonly logs: boolean; readonly too_big: number }): ShownJob {
  const shared = {
    ...identity(job, id),
    args: job.args,
    ...(show.logs ? { logs: logOf(job, id) } : {}),
    created_at: job.created_at.toISOString(),
    canceled: job.canceled !== null,
    ...(job.canceled === null ? {} : { canceled_by: job.canceled.by, canceled_reason: job.canceled.reason }),
  };
  if (job.ending === null) {
    const started = job.started_at === null ? {} : { started_at: job.started_at.toISOString() };
    const running = job.started_at !== null;
    return { type: "QueuedJob", ...shared, ...started, running, scheduled_for: shared.created_at };
  }
  const { success, result } = job.ending;
  const started = job.started_at ?? job.created_at;
  const completed = job.completed_at ?? started;
  return {
    type: "CompletedJob",
    ...shared,
    started_at: started.toISOString(),
    completed_at: completed.toISOString(),
    duration_ms: completed.getTime() - started.getTime(),
    success,
    result: JSON.stringify(result).length > show.too_big ? "WINDMILL_TOO_BIG" : result,
    deleted: false,
    is_skipped: false,
  };
}

function identity(job: Job, id: string) {
  const who = { created_by: "orch", permissioned_as: "u/orch", email: "orch@example.com", visible_to_owner: true };
  const shared = { workspace_id: job.workspace, id, ...who };
  return id === job.id
    ? {
        ...shared,
        job_kind: "flow" as const,
        script_path: job.path,
        is_flow_step: false,
        tag: job.tag ?? "flow",
        flow_status: flowStatus(job),
      }
    : {
        ...shared,
        job_kind: "flownode" as const,
        parent_job: job.id,
        is_flow_step: true,
        tag: job.tag ?? "bun",
        language: "bun" as const,
      };
}
