// The flow-engine backend called directly, on the simulated engine, with little patience: a test looks at what it reports
// its observer and gives back, and what has arrived at the engine.
import { randomUUID } from "node:crypto";
import type { BeforeLook } from "../../src/domain/proof.ts";
import type { JobEnd, RunRequest } from "../../src/domain/run-request.ts";
import type { Step } from "../../src/domain/step.ts";
import {
  createFlowEngineBackend,
  type FlowEngineOptions,
} from "../../src/execution/flow-engine/flow-engine-backend.ts";
import type { StepObserver } from "../../src/ports.ts";
import {
  type FlowEngineOptions as EngineOptions,
  type FlowEngine,
  startFlowEngine,
} from "../simulators/flow-engine/flow-engine.ts";
import { aRequest } from "./step-run.ts";

export const IMPATIENT = {
  poll_ms: 10,
  request_ms: 900,
  submit_ms: 1_500,
  lost_ms: 3_000,
  missing_ms: 300,
  resubmit_ms: 60_000,
  cancel_ms: 30_000,
};

/** For tests in which the engine answers, however slow the machine is. */
export const PATIENT = { ...IMPATIENT, request_ms: 10_000 };

export type EngineRun = Awaited<ReturnType<typeof startEngineRun>>;

/** An engine of its own, and a backend on it. */
export async function startEngineRun(options: EngineOptions = {}, over: Partial<FlowEngineOptions> = {}) {
  const engine = await startFlowEngine(options);
  const runner = runnerOn(engine, over);
  return {
    ...runner,
    engine,
    [Symbol.asyncDispose]: async () => {
      await runner.close();
      await engine[Symbol.asyncDispose]();
    },
  };
}

/** A backend, as a server has it that has just been started. */
export function runnerOn(engine: FlowEngine, over: Partial<FlowEngineOptions> = {}) {
  const backend = createFlowEngineBackend({
    engine,
    flow_path: "f/orch/execute_task_steps",
    tool_servers: new Map(),
    before_look: true,
    clock: () => new Date(),
    new_id: () => randomUUID(),
    timing: IMPATIENT,
    ...over,
  });
  const told: string[] = [];
  const ends: JobEnd[] = [];
  const lines: string[] = [];
  const waits: string[] = [];
  const leaving = new AbortController();
  const looked: (readonly BeforeLook[])[] = [];
  const observer: StepObserver = {
    started: async (index, attempt, { job } = {}) => {
      told.push(`started ${index}/${attempt} through ${job?.through}`);
      return true;
    },
    looked: (looks) => {
      told.push(`looked ${looks.map(({ step_index, answer }) => `${step_index} ${answer}`).join(", ")}`);
      looked.push(looks);
    },
    finished: ({ index, status, exit_code }) => void told.push(`${index} ${status} ${exit_code}`),
    accepted: async () => {},
    progressed: async (_job_id, more) => void lines.push(...more),
    waits: async (_job_id, wait) => void waits.push(wait === null ? "goes on" : `${wait.on}: ${wait.message}`),
    ended: (end) => {
      told.push(`ended ${end.code}`);
      ends.push(end);
    },
    leaving: leaving.signal,
  };
  const run = (steps: readonly Step[], request: Partial<RunRequest> = {}, signal = new AbortController().signal) =>
    backend.run(aRequest(steps, request), observer, signal);
  return {
    run,
    told,
    lines,
    waits,
    triesFor: (job_id: string) => backend.triesFor?.(job_id) ?? 0,
    looked,
    close: backend.close,
    end: () => ends.at(-1),
    leave: () => leaving.abort(),
  };
}

type LastJob = NonNullable<RunRequest["last_job"]>;

/** A job of these steps as the journal of its task has it. */
export const lastJob = (
  { url, workspace }: Pick<FlowEngine, "url" | "workspace">,
  job_id: string,
  steps: readonly Step[],
  over: Partial<LastJob> = {},
): LastJob => ({
  job: { job_id, through: steps.length - 1, engine: `${url} ${workspace}` },
  steps,
  first_index: 0,
  state: "submitted",
  seen: false,
  ...over,
});
