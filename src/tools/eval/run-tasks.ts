// Runs small tasks with an agent, each in a directory of its own, and measures the result.
import { join } from "node:path";
import type { CallOperation } from "../../cli/client.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { Clock } from "../../ports.ts";
import type { Canaries } from "./canaries.ts";
import { effortOf, type TaskResult } from "./score-agent.ts";
import { evidenceOf, supervise } from "./supervise.ts";
import { contractOf, type EvalTask } from "./task.ts";
import { type Bash, setUp } from "./workplace.ts";

export type AgentOrder = {
  readonly tasks: readonly EvalTask[];
  /** Undefined selects the backend of the environment. */
  readonly backend: TaskContract["agent_backend"];
  /** Called after every task that has ended. */
  readonly onProgress: (done: number, task: TaskResult) => void;
};

type RunTasksDeps = {
  readonly root: string;
  readonly call: CallOperation;
  readonly bash: Bash;
  readonly clock: Clock;
  readonly canaries: Canaries;
};

/** Runs one task after the other until `stop`. The result leaves out the task that `stop` interrupts. */
export async function runTasks(deps: RunTasksDeps, order: AgentOrder, stop: AbortSignal): Promise<TaskResult[]> {
  const all: TaskResult[] = [];
  for (const task of order.tasks) {
    const result = await runTask(deps, task, order.backend, stop);
    if (stop.aborted) break;
    all.push(result);
    order.onProgress(all.length, result);
  }
  return all;
}

async function runTask(
  { root, call, bash, clock, canaries }: RunTasksDeps,
  task: EvalTask,
  backend: AgentOrder["backend"],
  stop: AbortSignal,
): Promise<TaskResult> {
  const directory = join(root, task.name);
  const { places } = canaries;
  const escapesIn = await canaries.set(task);
  await setUp(task, { directory, places }, bash);
  const contract = contractOf(task, { directory, places, requested_at: clock().toISOString(), backend });
  const begun = performance.now();
  const { status, label, reason_code, message } = await supervise(call, contract, stop);
  const duration_ms = Math.round(performance.now() - begun);
  const evidence = await evidenceOf(call, contract.task_id);
  // The files are read before the verification runs any of them.
  const escapes = await escapesIn({ record: evidence, directory });
  const really_done = (await bash(task.verify, directory)) === null;
  const ended = { status, label, reason_code, message, really_done, escapes, duration_ms };
  return { name: task.name, ...ended, ...effortOf(evidence) };
}
