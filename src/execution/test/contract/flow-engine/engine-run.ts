// Calls the flow-engine backend directly, on the simulated engine, with little patience: a test looks at what it reports to its observer and
// gives back, and at what has arrived at the engine.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import {
  type FlowEngineOptions as EngineOptions,
  type FlowEngine,
  startFlowEngine,
} from "../../../../../test/simulators/flow-engine/flow-engine.ts";
import type { Ending } from "../../../../../test/simulators/flow-engine/jobs.ts";
import type { Work } from "../../../../../test/simulators/flow-engine/worker.ts";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { aRequest } from "../../../../../test/support/step-run.ts";
import type { BeforeLook } from "../../../../domain/proof.ts";
import type { JobEnd, RunRequest } from "../../../../domain/run-request.ts";
import type { Step } from "../../../../domain/step.ts";
import type { StepObserver } from "../../../../ports.ts";
import { createFlowEngineBackend, type FlowEngineOptions } from "../../../flow-engine/flow-engine-backend.ts";

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

/** For what comes, however busy the machine is. */
export const LONG = { timeout: 20_000 };

export const STEPS = [cmd("true"), check("test -d /")];

const passed = { status: "passed", exit_code: 0 };
export const PASSED: Ending = {
  success: true,
  result: { ok: true, summary: "2 steps passed", step_results: [passed, passed] },
};

/** The requests of a kind that have arrived. */
export const sent = ({ requests }: FlowEngine, wanted: string) => requests.filter(({ kind }) => kind === wanted);

export type EngineRun = Awaited<ReturnType<typeof startEngineRun>>;

/** An engine of its own, and a backend on it. */
export async function startEngineRun(options: EngineOptions = {}, over: Partial<FlowEngineOptions> = {}) {
  const engine = await startFlowEngine(options);
  const runner = runnerOn(engine, over);
  return {
    ...runner,
    engine,
    jobId: () => engine.jobs[0]?.id ?? "",
    [Symbol.asyncDispose]: async () => {
      await runner.close();
      await engine[Symbol.asyncDispose]();
    },
  };
}

type Given = { readonly steps?: readonly Step[]; readonly work?: Work | null } & Partial<FlowEngineOptions>;

/** A job that the engine has accepted. It ends when it is let go, unless other work is given; null runs its steps. */
export async function startJob({ steps = STEPS, work, ...over }: Given = {}) {
  const it = await startEngineRun({}, over);
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  if (work !== null) it.engine.give(work ?? (() => until.then(() => PASSED)));
  const controller = new AbortController();
  const output = it.run(steps, {}, controller.signal);
  // The answer to its submit has arrived.
  await expect.poll(() => sent(it.engine, "job").length, LONG).toBeGreaterThan(1);
  const { [Symbol.asyncDispose]: dispose, ...rest } = it;
  return { ...rest, output, letGo, cancel: () => controller.abort(), [Symbol.asyncDispose]: dispose };
}

export const backendOn = (engine: FlowEngine, over: Partial<FlowEngineOptions> = {}) =>
  createFlowEngineBackend({
    engine,
    flow_path: "f/orch/execute_task_steps",
    tool_servers: new Map(),
    before_look: true,
    clock: () => new Date(),
    new_id: () => randomUUID(),
    timing: IMPATIENT,
    ...over,
  });

/** A backend, as a server has it that has just been started. */
function runnerOn(engine: FlowEngine, over: Partial<FlowEngineOptions> = {}) {
  const backend = backendOn(engine, over);
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

type Next = {
  readonly steps?: readonly Step[];
  readonly request?: Partial<RunRequest>;
  readonly signal?: AbortSignal;
  readonly timing?: typeof IMPATIENT;
};

/** The next server finds the first job of the engine on record, and runs the steps from the first of the request on. */
export async function goOn(engine: FlowEngine, over: Partial<LastJob> = {}, next: Next = {}) {
  const { steps = STEPS, request, signal, timing = IMPATIENT } = next;
  const runner = runnerOn(engine, { timing });
  const last_job = lastJob(engine, engine.jobs[0]?.id ?? "", steps, over);
  const started_at = over.state === "lost" ? {} : { started_at: new Date().toISOString() };
  const output = await runner.run(
    steps.slice(request?.first_index ?? 0),
    { last_job, ...started_at, ...request },
    signal,
  );
  await runner.close();
  return { ...runner, output };
}
