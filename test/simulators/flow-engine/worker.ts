// The queue and the workers of the simulated flow engine: a job really runs the flow's script in a process of bun of its own. A
// worker that ends a job kills that process and nothing else.
import { resolveArguments, type Surroundings } from "./arguments.ts";
import { startFlowJob } from "./flow-job.ts";
import { canceledEnding, type Ending, failure, type Job, storedEnding } from "./jobs.ts";
import { createSwitches } from "./switches.ts";

/** What a worker does with a job. Null leaves it running, as if the worker had been lost. */
export type Work = (job: Job, runScript: () => Promise<Ending | null>) => Promise<Ending | null> | Ending | null;

const runs: Work = (_job, runScript) => runScript();

/** Runs nothing. */
export const returns =
  (result: unknown): Work =>
  () => ({ success: true, result });

export const throws =
  (name: string, message: string): Work =>
  () =>
    failure(name, message, { stack: `${name}: ${message}\n    at main (run_steps.ts:1:1)` });

export const endsAs =
  (ending: Ending): Work =>
  () =>
    ending;

/** Runs the script, and has what came of it replaced. */
export const runsThen =
  (replace: (ending: Ending) => Ending): Work =>
  async (_job, runScript) => {
    const ending = await runScript();
    return ending && replace(ending);
  };

/** What becomes of a job whose worker is lost: engines start it again by default, in the same job. */
export type Fate = "stays_running" | "fails" | "starts_again";

export type WorkerDeps = Omit<Surroundings, "env"> & {
  readonly clock: () => Date;
  readonly script: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly base_url: () => string;
};

export type Workers = ReturnType<typeof createWorkers>;

export function createWorkers(deps: WorkerDeps) {
  const queued: Job[] = [];
  const given = createSwitches<Work>();
  const lost = new Set<Job>();
  const scripts = new Map<Job, Promise<Ending | null>>();
  let held = false;

  const isOver = (job: Job): boolean => job.canceled !== null || job.ending !== null || lost.has(job);
  const complete = (job: Job, ending: Ending): void => {
    if (job.ending !== null) return;
    job.completed_at = deps.clock();
    job.ending = storedEnding(ending);
    job.completed.resolve();
  };
  const script = (job: Job): Promise<Ending | null> => {
    const run = runScript(job, deps, () => isOver(job));
    scripts.set(job, run);
    return run;
  };
  /** A process that is just being started ends as soon as it has been, if the job is over by then. */
  const endScript = async (job: Job): Promise<void> => {
    job.processes.at(-1)?.child.kill("SIGKILL");
    await scripts.get(job);
  };
  const take = async (job: Job, work: Work): Promise<void> => {
    job.started_at ??= deps.clock();
    const ending = await work(job, () => script(job));
    if (job.canceled !== null) return complete(job, canceledEnding(job.canceled));
    if (ending !== null && !lost.has(job)) complete(job, ending);
  };
  const takeQueued = (): void => {
    if (!held) for (const job of queued.splice(0)) void take(job, given.next() ?? runs);
  };

  return {
    enqueue: (job: Job): void => {
      queued.push(job);
      takeQueued();
    },
    /** Jobs are accepted and wait. */
    hold: (): void => {
      held = true;
    },
    release: (): void => {
      held = false;
      takeQueued();
    },
    give: given.on,
    /** `at_once` completes the job before its process has ended. */
    cancel: async (job: Job, by: string, reason: string, at_once = false): Promise<void> => {
      if (job.ending !== null) return;
      job.canceled ??= { by, reason };
      if (at_once) complete(job, canceledEnding(job.canceled));
      if (queued.includes(job)) queued.splice(queued.indexOf(job), 1);
      await endScript(job);
      complete(job, canceledEnding(job.canceled));
    },
    /** The script is killed, and its worker sees that and fails the job. */
    killScript: async (job: Job): Promise<void> => {
      if (job.processes.length === 0) throw new Error(`no script has been started for job ${job.id}`);
      await endScript(job);
    },
    killWorker: async (job: Job, fate: Fate): Promise<void> => {
      lost.add(job);
      await endScript(job);
      if (fate === "fails") complete(job, lostEnding(deps.clock()));
      if (fate !== "starts_again") return;
      lost.delete(job);
      void take(job, runs);
    },
    /** Resolves once every process has ended. */
    close: async (jobs: readonly Job[]): Promise<void> => {
      held = true;
      for (const job of jobs) lost.add(job);
      await Promise.all(jobs.map(endScript));
    },
  };
}

async function runScript(job: Job, deps: WorkerDeps, isOver: () => boolean): Promise<Ending | null> {
  const env = environmentOf(job, deps);
  const resolved = resolveArguments(job.args, { ...deps, env });
  if ("fault" in resolved) return failure("InternalErr", resolved.fault);
  const { task_contract, steps, context } = resolved.args;
  const started = await startFlowJob({ task_contract, steps, context }, env, deps.script);
  job.processes.push(started);
  if (isOver()) started.child.kill("SIGKILL");
  const left = await started.ended;
  if (left !== null || isOver()) return left;
  const { exitCode, signalCode } = started.child;
  return failure("ExecutionErr", `ExitCode: ${exitCode ?? signalCode}, last log lines:\n${started.log().slice(-1000)}`);
}

const environmentOf = (job: Job, { env, base_url }: WorkerDeps): Record<string, string> => ({
  ...env,
  WM_TOKEN: job.token,
  WM_WORKSPACE: job.workspace,
  WM_JOB_ID: job.module_id,
  WM_FLOW_JOB_ID: job.id,
  WM_FLOW_PATH: job.path,
  BASE_INTERNAL_URL: base_url(),
});

const lostEnding = (since: Date): Ending =>
  failure("ExecutionErr", `Job timed out after no ping from job since ${since.toISOString()} (ZOMBIE_JOB_TIMEOUT: 30)`);
