// Runs the steps of a procedure on a flow engine, as one job of the generic flow (spec section 1, execution backends;
// section 4, Outbound: flow engine). The job's id is on record before the engine hears of it. Whatever happens to a
// connection or to this server afterwards, that job is looked for, and no second one is made.
import type { FlowOutput } from "../../domain/flow.ts";
import { isJobFailure, wasAccepted } from "../../domain/job.ts";
import type { Clock, ExecutionBackend, NewId, RunRequest, StepObserver } from "../../ports.ts";
import { createRedactor, type Redact } from "../../redact/redact.ts";
import { flowOutput } from "../flow-output.ts";
import type { Ended } from "./end-of-job.ts";
import { createEngineApi, wordsOf } from "./engine-api.ts";
import { addressOf, createExchange, type Engine } from "./exchange.ts";
import { createJobs, elsewhere, type Jobs } from "./jobs.ts";
import type { ToolServerAddresses } from "./mcp-servers.ts";
import { TIMING, type Timing } from "./timing.ts";

export type FlowEngineOptions = {
  readonly engine: Engine;
  /** That of the generic flow, for example `f/orch/execute_task_steps`. */
  readonly flow_path: string;
  readonly tool_servers: ToolServerAddresses;
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly redact?: Redact;
  readonly timing?: Partial<Timing>;
  /** Of one answer of the engine. */
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
  const jobs = createJobs({ ...options, api, timing, identity, redact });

  return {
    name: "flowengine",
    remote: true,
    close,
    run: async (request, observer, signal) => {
      const reconciled = await jobs.reconcile(request, observer, signal);
      if (reconciled === null) return handOver(jobs, options.clock, request, observer, signal);
      if (reconciled.is === "left") return flowOutput([], request.first_index);
      if (reconciled.is === "ended")
        return report(request, request.last_job?.job.job_id ?? "", reconciled.ended, observer);
      const { results, ended } = reconciled;
      if (ended !== null) report(request, request.last_job?.job.job_id ?? "", { ...ended, results }, observer);
      return handOver(jobs, options.clock, behind(request, results.length), observer, signal);
    },
    cancelJob: async (job) => {
      if (job.engine !== identity) return elsewhere(job).message;
      const answer = await api.cancel(job.job_id, "its task was cancelled");
      if (answer.is === "ok") return null;
      const completion = await api.completion(job.job_id);
      return completion.is === "ok" && completion.value.completed ? null : redact(wordsOf(answer));
    },
  };
}

/** What is left of a request once its first steps have their results. */
const behind = ({ steps, first_index, attempt, task_contract }: RunRequest, count: number): RunRequest => ({
  task_contract,
  steps: steps.slice(count),
  first_index: first_index + count,
  attempt: count === 0 ? attempt : 1,
});

async function handOver(
  jobs: Jobs,
  clock: Clock,
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
  const { results, code, message, raw_result } = ended;
  for (const result of results) observer.finished(result);
  observer.ended({ job_id, code, message, raw_result });
  return outputOf(request, ended);
}

function outputOf({ steps, first_index }: RunRequest, { results, code, message }: Ended): FlowOutput {
  const executed = wasAccepted(code);
  const ran = results.flatMap((result) => {
    const step = steps[result.index - first_index];
    return step === undefined ? [] : [{ step, result, executed }];
  });
  const output = flowOutput(ran, null);
  return isJobFailure(code) ? { ...output, ok: false, summary: message } : output;
}
