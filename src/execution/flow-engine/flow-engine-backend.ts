// Runs the steps of a procedure on a flow engine, as one job of the generic flow [1.A.6.flow_engine] [4.flow.invoke].
// The journal records the id of the job before the engine receives it (D-099). After a lost connection or a restart,
// orch looks for that job and does not submit a second one.
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { tagOf } from "../../domain/contract.ts";
import {
  type FlowOutput,
  isJobFailure,
  type ReconcileLook,
  type ReconcileRequest,
  type RunRequest,
  wasAccepted,
} from "../../domain/run-request.ts";
import { unfinished } from "../../domain/step.ts";
import { flowOutput, printedBefore, RECONCILE_MS, sentStep } from "../../domain/step-run.ts";
import type { Log } from "../../log/log.ts";
import type { Clock, ExecutionBackend, NewId, StepObserver } from "../../ports.ts";
import { createRedactor, type Redact } from "../../redact/find-secrets.ts";
import { type Ended, endOfJob, reportIn } from "./end-of-job.ts";
import {
  addressOf,
  createEngineApi,
  createExchange,
  describeFailure,
  type Engine,
  type EngineApi,
} from "./engine-api.ts";
import { createJobLog, type Followed, followJob } from "./follow-job.ts";
import { createJobs, type EngineMeans, inputOf, type Jobs, jobOfOtherEngine } from "./jobs.ts";
import { submitJob, type ToolServerAddresses } from "./submit-job.ts";
import { TIMING, type Timing, type WaitChange, type WaitTries } from "./wait-watch.ts";

export type FlowEngineOptions = {
  readonly engine: Engine;
  /** The path of the generic flow, for example `f/orch/execute_task_steps`. */
  readonly flow_path: string;
  readonly tool_servers: ToolServerAddresses;
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly redact?: Redact;
  readonly timing?: Partial<Timing>;
  /** Called at each change of what a job waits for. */
  readonly onWait?: (change: WaitChange) => void;
  /** Whether the checks of a plan are run once before its first step (D-194). */
  readonly before_look: boolean;
  /** The limit of one response of the engine. */
  readonly max_bytes?: number;
};

const MAX_BYTES = 64 * 1024 * 1024;

export type FlowEngineBackend = ExecutionBackend & { readonly close: () => Promise<void> };

export function createFlowEngineBackend(options: FlowEngineOptions): FlowEngineBackend {
  const { engine, redact = createRedactor([]), max_bytes = MAX_BYTES } = options;
  const timing: Timing = { ...TIMING, ...options.timing };
  const { exchange, close } = createExchange(engine, { limit_ms: timing.request_ms, max_bytes });
  const api = createEngineApi(exchange, engine);
  const identity = `${addressOf(engine.url)} ${engine.workspace}`;
  const tries: WaitTries = new Map();
  const of_jobs = { ...options, api, timing, identity, redact };
  const jobs = createJobs({ ...of_jobs, tries });
  const deps = { jobs, clock: options.clock };

  return {
    name: "flowengine",
    remote: true,
    looks_in_run: options.before_look,
    close,
    triesFor: (job_id) => tries.get(job_id) ?? 0,
    run: async (request, observer, signal) => {
      const lost = await jobs.reconcile(request, observer, signal);
      if (lost === null) return runJob(deps, request, observer, signal);
      if (lost.is === "suspended") return flowOutput([], request.first_index);
      if (lost.is === "ended") return report(request, request.last_job?.job.job_id ?? "", lost.ended, observer);
      const { results, ended } = lost;
      if (ended !== null) report(request, request.last_job?.job.job_id ?? "", { ...ended, results }, observer);
      return runJob(deps, remaining(withLooks(request, ended), results.length), observer, signal);
    },
    reportLost: async (request, observer) => {
      const ended = await jobs.lookAtLost(request, observer);
      if (ended === null) return;
      const known = ended.results.slice(0, ended.known_count);
      for (const result of known.filter(({ index }) => index > request.first_index)) observer.finished(result);
      const { code, message, raw_result } = ended;
      observer.ended({ job_id: request.last_job?.job.job_id ?? "", code, message, raw_result });
    },
    reconcile: (request, signal) => reconcileStep(of_jobs, request, signal),
    cancelJob: async (job) => {
      if (job.engine !== identity) return jobOfOtherEngine(job).message;
      const answer = await api.cancel(job.job_id, "its task was cancelled");
      if (answer.is === "ok") return null;
      const completion = await api.completion(job.job_id);
      return completion.is === "ok" && completion.value.completed ? null : redact(describeFailure(answer));
    },
  };
}

/** What a lost job has found before its first step is for the checks of the next job too. */
function withLooks(request: RunRequest, ended: Ended | null): RunRequest {
  if (ended === null || ended.looks === null) return request;
  const looks = new Map(ended.looks.map((look) => [look.step_index, look]));
  return { ...request, before: printedBefore(looks, request.last_job?.steps ?? []) };
}

/** The request without its first `count` steps, which already have results. A job after another does not look. */
const remaining = (request: RunRequest, count: number): RunRequest => {
  const { steps, first_index, attempt, task_contract, before, runs_on, traceparentOf } = request;
  return {
    task_contract,
    steps: steps.slice(count),
    first_index: first_index + count,
    attempt: count === 0 ? attempt : 1,
    ...(before !== undefined && { before }),
    ...(runs_on !== undefined && { runs_on }),
    ...(traceparentOf !== undefined && { traceparentOf }),
  };
};

async function runJob(
  { jobs, clock }: { readonly jobs: Jobs; readonly clock: Clock },
  request: RunRequest,
  observer: StepObserver,
  signal: AbortSignal,
): Promise<FlowOutput> {
  const { first_index, attempt, last_job } = request;
  const resumed = last_job?.state === "submitted";
  const job = resumed ? last_job.job : jobs.next(request);
  const started_at = request.started_at ?? clock().toISOString();
  if (!resumed && (signal.aborted || !(await observer.started(first_index, attempt, { job })))) {
    return flowOutput([], first_index);
  }
  const ended = await jobs.endOf({ request, job, started_at, resumed }, observer, signal);
  return ended === null ? flowOutput([], first_index) : report(request, job.job_id, ended, observer);
}

function report(request: RunRequest, job_id: string, ended: Ended, observer: StepObserver): FlowOutput {
  const { results, looks, code, message, raw_result } = ended;
  if (looks !== null) observer.looked?.(looks);
  for (const result of results) observer.finished(result);
  observer.ended({ job_id, code, message, raw_result });
  return outputOf(request, ended);
}

function outputOf({ task_contract, steps, first_index }: RunRequest, { results, code, message }: Ended): FlowOutput {
  const executed = wasAccepted(code);
  const ran = results.flatMap((result) => {
    const step = steps[result.index - first_index];
    return step === undefined ? [] : [{ step: sentStep(step, task_contract), result, executed }];
  });
  const output = flowOutput(ran, null);
  return isJobFailure(code) ? { ...output, ok: false, summary: message } : output;
}

type Answer = Pick<ReconcileLook, "exit_code" | "stdout" | "stderr" | "timed_out">;

/**
 * Runs the reconcile command of a step on the engine (D-299), as a job of its own: it only looks, so its id is not recorded. The
 * lost job of the step is examined before, because the step may still run in it.
 */
async function reconcileStep(
  deps: EngineMeans,
  request: ReconcileRequest,
  signal: AbortSignal,
): Promise<ReconcileLook> {
  const { last_job } = request;
  const begun = performance.now();
  const isElsewhere = last_job !== undefined && last_job.job.engine !== deps.identity;
  const may_run = last_job === undefined ? null : await mayRun(deps, last_job);
  const limit = AbortSignal.timeout(RECONCILE_MS);
  const answer = isElsewhere
    ? notRun(jobOfOtherEngine(last_job.job).message)
    : await runCheck(deps, request, AbortSignal.any([signal, limit]));
  const timed_out = answer.timed_out || (answer.exit_code === null && limit.aborted && !signal.aborted);
  return { ...answer, timed_out, may_run, duration_ms: Math.round(performance.now() - begun) };
}

const notRun = (message: string): Answer => ({
  exit_code: null,
  timed_out: false,
  stdout: "",
  stderr: `orch: ${message}`,
});

/** Why something of the job may still run. A job that the engine has never shown was never submitted. */
async function mayRun(
  { api, identity, redact }: Pick<EngineMeans, "api" | "identity" | "redact">,
  { job, seen }: NonNullable<ReconcileRequest["last_job"]>,
): Promise<string | null> {
  if (job.engine !== identity) return "its job is on another flow engine";
  const completion = await api.completion(job.job_id);
  if (completion.is === "ok" && completion.value.completed) return null;
  const view: Awaited<ReturnType<EngineApi["view"]>> = await api.view(job.job_id);
  const isUnknown = view.is === "refused" && view.status === 404;
  if (isUnknown) return seen ? "the flow engine does not know its job any more" : null;
  return view.is === "ok"
    ? "its job still runs on the flow engine"
    : `its job cannot be examined (${redact(describeFailure(view))})`;
}

/** An abort cancels the job, unless the server stops: then it is left, because it only looks. */
async function runCheck(deps: EngineMeans, request: ReconcileRequest, signal: AbortSignal): Promise<Answer> {
  const { api, timing, redact, clock, flow_path } = deps;
  const { task_contract, command, index, attempt, leaving, runs_on } = request;
  const steps = [{ kind: "check", value: command } as const];
  const job_id = deps.new_id();
  const run = { task_contract, steps, first_index: index, attempt };
  const watch = { api, timing, redact, flow_path, wait: UNSEEN, leaving: () => leaving.aborted };
  const submission = await submitJob(
    watch,
    { job_id, tag: tagOf(runs_on), input: inputOf(run, deps.tool_servers) },
    signal,
  );
  if (submission.is === "failed") return notRun(submission.message);
  const log = createJobLog({ api, redact, publish: async () => undefined });
  const followed = await followJob({ ...watch, log }, { job_id, certain: submission.is === "accepted" }, signal);
  if (followed.is === "suspended") return notRun("the server stops");
  const range = { ...run, started_at: clock().toISOString() };
  const { results, message } = endOfJob(followed, { range, lines: log.steps(), redact });
  const result = results[0] ?? unfinished({ index, attempt, kind: "check", started_at: range.started_at });
  // The exit code of a check that was not run says nothing of the step.
  const hasRun = result.exit_code === 0 || executedIn(followed).includes(command);
  const { timed_out, stdout, stderr } = result;
  return hasRun
    ? { exit_code: result.exit_code, timed_out, stdout, stderr }
    : { exit_code: null, timed_out, stdout, stderr: stderr === "" ? `orch: ${message}` : stderr };
}

const UNSEEN = { saw: async () => undefined };

const Executed = z.looseObject({ evidence: z.looseObject({ executed_commands: z.array(z.string()) }) });

function executedIn(followed: Exclude<Followed, { is: "suspended" }>): readonly string[] {
  if (followed.is !== "completed") return [];
  const { completion } = followed;
  const report = reportIn(completion.result, completion.success === true);
  return Executed.safeParse(report).data?.evidence.executed_commands ?? [];
}

// The flow engine of a configuration.

/** One line per change: a fault of the engine is a warning, its queue is not. */
const logWaits =
  (log: Log) =>
  ({ job_id, wait, tries }: WaitChange): void => {
    if (wait === null) log.info({ job_id, tries }, "the job on the flow engine goes on");
    else if (wait.on === "queue") log.info({ job_id, since: wait.since, tries }, wait.message);
    else log.warn({ job_id, since: wait.since, tries }, `${wait.message}; the job is not given up`);
  };

type Configured = {
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly redact: Redact;
  readonly log: Log;
};

/** Null without a flow engine. */
export function configuredFlowEngine(
  { flow_engine: engine, tool_servers, before_look }: Config,
  { clock, new_id, redact, log }: Configured,
): FlowEngineBackend | null {
  if (engine === null) return null;
  const { flow_path, poll_ms } = engine;
  const means = { tool_servers, clock, new_id, redact, timing: { poll_ms }, onWait: logWaits(log) };
  return createFlowEngineBackend({ engine, flow_path, before_look: before_look === "on", ...means });
}
