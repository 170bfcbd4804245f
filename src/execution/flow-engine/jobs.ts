// Makes the next job of a task on the configured flow engine, follows it to its end from any state, and reconciles a lost one.

import { tagOf } from "../../domain/contract.ts";
import type { FlowInput, Job, RunRequest } from "../../domain/run-request.ts";
import { type Step, type StepResult, unfinished } from "../../domain/step.ts";
import type { Clock, NewId, StepObserver } from "../../ports.ts";
import { readPipes } from "../../proof/proof.ts";
import type { Redact } from "../../redact/find-secrets.ts";
import { type Ended, endOfJob } from "./end-of-job.ts";
import { describeFailure, type EngineApi, type NewJob } from "./engine-api.ts";
import { createJobLog, followJob, type JobLog, type StepLine } from "./follow-job.ts";
import { mcpServersFor, type Submission, submitJob, type ToolServerAddresses } from "./submit-job.ts";
import {
  createWaitWatch,
  heldUpBy,
  type JobMeans,
  longer,
  pause,
  type Timing,
  type WaitChange,
  type WaitTries,
} from "./wait-watch.ts";

export type EngineMeans = {
  readonly api: EngineApi;
  readonly timing: Timing;
  readonly flow_path: string;
  /** The address of the engine and its workspace. */
  readonly identity: string;
  readonly tool_servers: ToolServerAddresses;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly new_id: NewId;
};

export type JobsDeps = EngineMeans & {
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

/**
 * Looks for a job that an earlier server process submitted, or recorded and may not have submitted. If the engine does not know
 * the job, orch submits it under its id, unless the engine has shown it before or may have deleted it since.
 */
async function findJob(
  deps: JobMeans,
  { may_be_new, ...sent }: NewJob & { readonly may_be_new: boolean },
  signal: AbortSignal,
): Promise<Submission | { readonly is: "suspended" } | { readonly is: "lost"; readonly message: string }> {
  const { api, timing, redact, wait, leaving } = deps;
  const until = performance.now() + timing.lost_ms;
  for (let wait_ms = timing.poll_ms; ; wait_ms = longer(wait_ms, timing)) {
    const view = await api.view(sent.job_id);
    if (view.is === "ok") return { is: "accepted" };
    const isUnknown = view.is === "refused" && view.status === 404;
    if (isUnknown && may_be_new && !signal.aborted) return submitJob(deps, sent, signal);
    if (isUnknown || signal.aborted) return OPEN;
    if (performance.now() > until) {
      return { is: "lost", message: `flow engine: there was no response about the job for ${timing.lost_ms / 1000} s` };
    }
    if (leaving()) return { is: "suspended" };
    await wait.saw(heldUpBy(view, redact));
    await pause(wait_ms, signal, leaving);
  }
}

const OPEN: Submission = { is: "open", message: "flow engine: the job was not found" };

type LostJobMeans = JobMeans & {
  /** For results that have no time. */
  readonly started_at: string;
  readonly log: JobLog;
};

type LostJob = NonNullable<RunRequest["last_job"]>;

type Reconciled =
  /** Steps that the job has run and that passed; no later step has run or will run. `ended` is null if the job is gone. */
  | { readonly is: "over"; readonly results: readonly StepResult[]; readonly ended: Ended | null }
  /** The job determines how the run ends, or it is still unknown. */
  | { readonly is: "ended"; readonly ended: Ended }
  | { readonly is: "suspended" };

/**
 * Examines a lost job again before the task makes another one: the lost job may have continued since (D-103). Steps that it has
 * run count, and do not run again.
 */
async function reconcileLostJob(
  deps: LostJobMeans,
  request: RunRequest,
  lost: LostJob,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { api, log, redact, started_at } = deps;
  const { job_id } = lost.job;
  const view = await api.view(job_id);
  const stillLost = (message: string): Reconciled => {
    const context = { range: { ...request, started_at }, lines: [], redact };
    return { is: "ended", ended: endOfJob({ is: "lost", message }, context) };
  };
  const isUnknown = view.is === "refused" && view.status === 404;
  if (view.is !== "ok" && !isUnknown)
    return stillLost(`flow engine: the lost job cannot be examined (${describeFailure(view)})`);
  // The engine may not know the job for a moment, for example while it restarts.
  const followed = await followJob(deps, { job_id, certain: false }, signal);
  if (followed.is === "suspended") return followed;
  if (followed.is === "lost") {
    // A job that the engine never showed counts as never submitted. For any other job the supervisor decides.
    const isGone = isUnknown && (!lost.seen || request.attempt > 1) && !signal.aborted;
    return isGone
      ? { is: "over", results: [], ended: null }
      : stillLost(`${followed.message}; it is not known which other steps it has run`);
  }
  const range = { steps: lost.steps, first_index: lost.first_index, attempt: 1, started_at, look_at: lost.look_at };
  const lines = log.steps();
  const ended = endOfJob(followed, { range, lines, redact });
  return reconciled(ended, { ...request, started_at }, (index) => stoppedBefore(index, ended, lines, lost.first_index));
}

/** How the job has ended, if it has; it is not waited for. */
async function endOfLost(deps: LostJobMeans, { job, steps, first_index, look_at }: LostJob): Promise<Ended | null> {
  let looks = 0;
  const once = { ...deps, leaving: () => looks++ > 0, wait: { saw: async () => undefined } };
  const { signal } = new AbortController();
  const followed = await followJob(once, { job_id: job.job_id, certain: false }, signal);
  if (followed.is !== "completed") return null;
  const range = { steps, first_index, look_at, attempt: 1, started_at: deps.started_at };
  return endOfJob(followed, { range, lines: deps.log.steps(), redact: deps.redact });
}

/** The job is over: no step of it will run any more. The supervisor is asked about a step that it may have run. */
function reconciled(
  ended: Ended,
  request: RunRequest & { readonly started_at: string },
  stoppedBefore: (index: number) => boolean,
): Reconciled {
  const { steps, first_index, attempt, started_at } = request;
  const known = ended.results
    .slice(0, ended.known_count)
    .filter(({ index }) => index >= first_index)
    .map((result) => (result.index === first_index ? { ...result, attempt } : result));
  const broken = known.find(({ status }) => status !== "passed");
  // The supervisor wants the step to run again, with any result.
  const isWanted = attempt > 1 && (broken?.index === first_index || known.length === 0);
  if (isWanted) return { is: "over", results: [], ended };
  if (broken !== undefined || known.length === steps.length)
    return { is: "ended", ended: { ...ended, results: known } };
  const index = first_index + known.length;
  if (stoppedBefore(index)) return { is: "over", results: known, ended };
  const kind = steps[known.length]?.kind ?? "cmd";
  const message = `${ended.message}; it is not known whether the job had started step ${index}`;
  const open = { ...unfinished({ index, attempt: 1, kind, started_at }), stderr: `orch: ${message}` };
  return { is: "ended", ended: { ...ended, code: "lost", message, results: [...known, open] } };
}

/** Whether the report or the log shows that the job ended in an earlier step. */
function stoppedBefore(index: number, ended: Ended, lines: readonly StepLine[], first_index: number): boolean {
  const last = ended.results[ended.known_count - 1];
  if (last !== undefined && last.status !== "passed") return last.index < index;
  const begun = lines.at(-1);
  return begun !== undefined && begun.end === null && first_index + begun.index < index;
}
