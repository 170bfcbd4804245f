// Runs the steps of a procedure on a flow engine, as one job of the generic flow (spec section 1, execution backends;
// section 4, Outbound: flow engine). The job's id is on record before the engine hears of it. Whatever happens to a
// connection or to this server afterwards, that job is looked for, and no second one is made.
import type { FlowOutput } from "../../domain/flow.ts";
import { isJobFailure, type Job, wasTaken } from "../../domain/job.ts";
import type { Clock, ExecutionBackend, NewId, RunRequest, StepObserver } from "../../ports.ts";
import { createRedactor, type Redact } from "../../redact.ts";
import { flowOutput } from "../flow-output.ts";
import { type Ended, endOfJob } from "./end-of-job.ts";
import { createEngineApi } from "./engine-api.ts";
import { createExchange, type Engine } from "./exchange.ts";
import { findJob } from "./find-job.ts";
import { followJob } from "./follow-job.ts";
import { mcpServersFor, type ToolServerAddresses } from "./mcp-servers.ts";
import { createJobLog } from "./read-log.ts";
import { submitJob } from "./submit-job.ts";
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
  const {
    engine,
    flow_path,
    tool_servers,
    clock,
    new_id,
    redact = createRedactor([]),
    max_bytes = MAX_BYTES,
  } = options;
  const timing: Timing = { ...TIMING, ...options.timing };
  const { exchange, close } = createExchange(engine, { limit_ms: timing.request_ms, max_bytes });
  const api = createEngineApi(exchange, engine);

  /** The argument object of the flow. */
  const inputOf = ({ task_contract, steps }: RunRequest) => ({
    task_contract,
    steps,
    context: {
      target: task_contract.target,
      payload: task_contract.payload,
      mcp_servers: mcpServersFor(steps, task_contract, tool_servers),
    },
  });

  /** What became of the job, from wherever it stands; null when the server leaves before it has ended. */
  const endOf = async (handed: HandedOver, observer: StepObserver, signal: AbortSignal): Promise<Ended | null> => {
    const { request, job, started_at } = handed;
    const { job_id } = job;
    const tell = (lines: readonly string[]) => observer.progressed(job_id, lines);
    const log = createJobLog({ api, redact, tell });
    const deps = { api, flow_path, timing, log, leaving: observer.leaving };
    const sent = { job_id, input: inputOf(request) };
    const age_ms = clock().getTime() - Date.parse(started_at);
    const submission = await (request.job === undefined
      ? submitJob(deps, sent, signal)
      : findJob(deps, { ...sent, age_ms }, signal));
    if (submission.is === "left") return null;
    const place = { ...request, started_at };
    if (submission.is === "failed") return endOfJob(submission, { place, lines: [], redact });
    const followed = await followJob(deps, { job_id, certain: submission.is === "accepted" }, signal);
    return followed.is === "left" ? null : endOfJob(followed, { place, lines: log.steps(), redact });
  };

  return {
    name: "flowengine",
    hands_over: true,
    close,
    run: async (request, observer, signal) => {
      const { steps, first_index, attempt } = request;
      const job = request.job ?? { job_id: new_id(), through: first_index + steps.length - 1 };
      const started_at = request.started_at ?? clock().toISOString();
      if (request.job === undefined && (signal.aborted || !(await observer.started(first_index, attempt, { job })))) {
        return flowOutput([], first_index);
      }
      const ended = await endOf({ request, job, started_at }, observer, signal);
      if (ended === null) return flowOutput([], first_index);
      const { results, code, message, raw_result } = ended;
      for (const result of results) observer.finished(result);
      observer.ended({ job_id: job.job_id, code, message, raw_result });
      return outputOf(request, ended);
    },
  };
}

type HandedOver = { readonly request: RunRequest; readonly job: Job; readonly started_at: string };

function outputOf({ steps, first_index }: RunRequest, { results, code, message }: Ended): FlowOutput {
  const executed = wasTaken(code);
  const ran = results.flatMap((result) => {
    const step = steps[result.index - first_index];
    return step === undefined ? [] : [{ step, result, executed }];
  });
  const output = flowOutput(ran, null);
  return isJobFailure(code) ? { ...output, ok: false, summary: message } : output;
}
