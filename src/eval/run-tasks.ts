// Has an agent do small tasks (spec section 1, agent backends), each in a directory of its own, and finds out what it did.
import { join } from "node:path";
import type { Call } from "../cli/client.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Clock } from "../ports.ts";
import { effortOf, type TaskResult } from "./score-agent.ts";
import { journalOf, supervise } from "./supervise.ts";
import { contractOf, type EvalTask } from "./task.ts";
import { type Bash, setUp } from "./workplace.ts";

export type AgentOrder = {
  readonly tasks: readonly EvalTask[];
  /** The one of the environment unless given. */
  readonly backend: TaskContract["agent_backend"];
  /** Hears of every task that has ended. */
  readonly told: (done: number, task: TaskResult) => void;
};

export type Place = { readonly root: string; readonly call: Call; readonly bash: Bash; readonly clock: Clock };

/** One after the other until `stop`; the task that is cut off by it does not count. */
export async function runTasks(place: Place, order: AgentOrder, stop: AbortSignal): Promise<TaskResult[]> {
  const all: TaskResult[] = [];
  for (const task of order.tasks) {
    const result = await runTask(place, task, order.backend, stop);
    if (stop.aborted) break;
    all.push(result);
    order.told(all.length, result);
  }
  return all;
}

async function runTask(
  { root, call, bash, clock }: Place,
  task: EvalTask,
  backend: AgentOrder["backend"],
  stop: AbortSignal,
): Promise<TaskResult> {
  const directory = join(root, task.name);
  await setUp(task, directory, bash);
  const contract = contractOf(task, { directory, requested_at: clock().toISOString(), backend });
  const begun = performance.now();
  const { status, label, reason_code, message } = await supervise(call, contract, stop);
  const duration_ms = Math.round(performance.now() - begun);
  const effort = effortOf(await journalOf(call, contract.task_id));
  const really_done = (await bash(task.verify, directory)) === null;
  return { name: task.name, status, label, reason_code, message, really_done, duration_ms, ...effort };
}
