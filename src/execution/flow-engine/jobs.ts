// The jobs of a task on the configured flow engine: makes the next job, follows it to its end from any state, and
// reconciles a lost one.
import type { FlowInput } from "../../domain/flow.ts";
import type { Job } from "../../domain/job.ts";
import { tagOf } from "../../domain/labels.ts";
import type { RunRequest } from "../../domain/run-request.ts";
import type { Step } from "../../domain/step.ts";
import type { Clock, NewId, StepObserver } from "../../ports.ts";
import { readPipes } from "../../proof/pipes.ts";
import type { Redact } from "../../redact/redact.ts";
import { type Ended, endOfJob } from "./end-of-job.ts";
import type { EngineApi } from "./engine-api.ts";
import { findJob } from "./find-job.ts";
import { followJob } from "./follow-job.ts";
import { mcpServersFor, type ToolServerAddresses } from "./mcp-servers.ts";
import { createJobLog } from "./read-log.ts";
import { endOfLost, type Reconciled, reconcileLostJob } from "./reconcile-lost-job.ts";
import { submitJob } from "./submit-job.ts";
import type { Timing } from "./timing.ts";
import { createWaitWatch, type WaitChange, type WaitTries } from "./wait-watch.ts";

export type JobsDeps = {
  readonly api: EngineApi;
  readonly timing: Timing;
  readonly flow_path: string;
  /** The address of the engine and its workspace. */
  readonly identity: string;
  readonly tool_servers: ToolServerAddresses;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly tries: WaitTries;
  /** Called at each change of what a job waits for. */
  readonly onWait?: ((change: WaitChange) => void) | undefined;
};

export type SubmittedJob = {
  readonly request: RunRequest;
  readonly job: Job;
  readonly started_at: string;
  /** Whether the job was submitted before, by this server process or an earlier one. */
  readonly resumed: boolean;
};

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(deps: JobsDeps) {
  const { api, timing, flow_path, identity, redact, clock, tries } = deps;

  const changed = async (observer: StepObserver, change: WaitChange): Promise<void> => {
    await observer.waits?.(change.job_id, change.wait, change.tries);
    if (change.wait !== null || change.tries > 0) deps.onWait?.(change);
  };
  const watching = (job_id: string, observer: StepObserver) => ({
    api,
    timing,
    flow_path,
    redact,
    leaving: () => observer.leaving?.aborted === true,
    wait: createWaitWatch({ clock, tries, changed: (change) => changed(observer, change) }, job_id),
    log: createJobLog({ api, redact, publish: (lines) => observer.progressed(job_id, lines) }),
  });

  return {
    /** Uses an id again only if this engine has not accepted it: then nothing can run twice. */
    next: ({ steps, first_index, last_job }: RunRequest): Job => {
      const isFree = last_job?.state === "not_accepted" && last_job.job.engine === identity;
      const job_id = isFree ? last_job.job.job_id : deps.new_id();
      return { job_id, through: first_index + steps.length - 1, engine: identity };
    },

    /** Null when the server stops before the job has ended. */
    endOf: async (submitted: SubmittedJob, observer: StepObserver, signal: AbortSignal): Promise<Ended | null> => {
      const { request, job, started_at, resumed } = submitted;
      const { job_id } = job;
      const range = { ...request, started_at };
      if (job.engine !== identity) return endOfJob(jobOfOtherEngine(job), { range, lines: [], redact });
      const watch = watching(job_id, observer);
      const sent = { job_id, tag: tagOf(request.runs_on), input: inputOf(request, deps.tool_servers) };
      const age_ms = clock().getTime() - Date.parse(started_at);
      // After the clock was set back, the age can be negative.
      const may_be_new = age_ms >= 0 && age_ms < timing.resubmit_ms && request.last_job?.seen !== true;
      const submission = await (resumed
        ? findJob(watch, { ...sent, may_be_new }, signal)
        : submitJob(watch, sent, signal));
      if (submission.is === "suspended") return null;
      if (submission.is === "failed" || submission.is === "lost") {
        return endOfJob(submission, { range, lines: [], redact });
      }
      if (submission.is === "accepted" && request.last_job?.seen !== true) await observer.accepted(job_id);
      const followed = await followJob(watch, { job_id, certain: submission.is === "accepted" }, signal);
      if (followed.is === "suspended") return null;
      const isDoubtful = submission.is === "open" && !resumed && followed.is === "lost";
      const end = isDoubtful ? { ...followed, message: `${followed.message}; ${submission.message}` } : followed;
      return endOfJob(end, { range, lines: watch.log.steps(), redact });
    },

    /** How the last job has ended, by one look at it; null while that is unknown. */
    lookAtLost: async ({ last_job: lost }: RunRequest, observer: StepObserver): Promise<Ended | null> => {
      if (lost?.state !== "lost" || lost.job.engine !== identity) return null;
      return endOfLost({ ...watching(lost.job.job_id, observer), started_at: clock().toISOString() }, lost);
    },

    /** Examines the last job again if it was lost (D-103). Null if it was not lost, or if the supervisor wants a new one. */
    reconcile: async (request: RunRequest, observer: StepObserver, signal: AbortSignal): Promise<Reconciled | null> => {
      const { last_job: lost } = request;
      if (lost?.state !== "lost") return null;
      if (lost.job.engine === identity) {
        const started_at = clock().toISOString();
        return reconcileLostJob({ ...watching(lost.job.job_id, observer), started_at }, request, lost, signal);
      }
      if (request.attempt > 1) return null;
      const range = { ...request, started_at: clock().toISOString() };
      return { is: "ended", ended: endOfJob(jobOfOtherEngine(lost.job), { range, lines: [], redact }) };
    },
  };
}

/** The argument object of the flow [2.flow_input.task_contract] [2.flow_input.steps] [2.flow_input.context]. */
export const inputOf = (request: RunRequest, tool_servers: ToolServerAddresses): FlowInput => ({
  task_contract: request.task_contract,
  steps: request.steps,
  context: {
    target: request.task_contract.target,
    payload: request.task_contract.payload,
    mcp_servers: mcpServersFor(request.steps, request.task_contract, tool_servers),
    ...looksIn(request),
    ...pipesIn(request),
    ...traceIn(request),
  },
});

/** What the looks before the change need; a script of an older release ignores it. Indexes count within the job. */
function looksIn({ first_index, look_at = [], before = new Map() }: RunRequest) {
  const within = look_at.map((index) => index - first_index);
  const printed = [...before].map(([index, text]) => [index - first_index, text] as const).filter(([at]) => at >= 0);
  return {
    ...(within.length > 0 && { look_at: within }),
    ...(printed.length > 0 && { before: JSON.stringify(Object.fromEntries(printed)) }),
  };
}

/** The script has no parser of bash; one of an older release ignores it. */
function pipesIn({ steps }: RunRequest) {
  const isDecided = (step: Step) =>
    (step.kind === "cmd" || step.kind === "check") &&
    readPipes(step.value, { strict: step.kind === "cmd" }).last_part_decides;
  const within = steps.flatMap((step, index) => (isDecided(step) ? [index] : []));
  return within.length === 0 ? {} : { last_part_decides: within };
}

/** All steps of a job are of one trace; a script of an older release ignores it. */
function traceIn({ first_index: index, attempt, traceparentOf }: RunRequest) {
  const traceparent = traceparentOf?.({ index, attempt });
  return traceparent === undefined ? {} : { traceparent };
}

export const jobOfOtherEngine = ({ job_id, engine }: Pick<Job, "job_id" | "engine">) => ({
  is: "lost" as const,
  message: `job ${job_id} was handed over to ${engine}, which is not the configured flow engine; orch cannot find out which steps it has run`,
});
