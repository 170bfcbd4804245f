// submit_task: the contract is stored, and answered at once or after a bounded wait. Idempotent by task_id: the same
// contract is the same task, another one under that id is refused.
import type { TaskContract } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import type { Task } from "../domain/task.ts";
import { skipRefusal } from "../tasks/admission.ts";
import { accept, acceptConflict, refusalError } from "../tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import type { OperationHandler } from "./operation.ts";
import type { submitTask } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

export const handleSubmitTask: OperationHandler<typeof submitTask> =
  (deps) =>
  async ({ wait_seconds, ...fields }, { signal }) => {
    const contract: TaskContract = fields;
    refuseInvalid(deps, contract);
    const task_id = await store(deps, contract);
    const task = await settled(deps, task_id, { wait_seconds, signal });
    return viewOf(deps, task ?? (await taskOf(deps, task_id)));
  };

export const unknownIntent = (intents: ReadonlySet<string>): string =>
  `is not a known intent; use one of ${[...intents].join(", ")}`;

/** What only this server knows to be wrong. */
function refuseInvalid(deps: OperationDeps, contract: TaskContract): void {
  const { intents } = deps;
  const skip = skipRefusal(deps, contract);
  const issues = [
    ...(intents.has(contract.intent) ? [] : [{ path: "intent", message: unknownIntent(intents) }]),
    ...(skip === null ? [] : [{ path: "skip_if_done", message: skip }]),
  ];
  if (issues.length > 0) throw new OrchError("contract_invalid", "The contract is not valid.", { issues });
}

async function store(deps: OperationDeps, contract: TaskContract): Promise<string> {
  const { task_id } = contract;
  const { task, ...accepted } = accept({
    contract,
    backend: backendFor(deps, contract),
    at: deps.clock().toISOString(),
  });
  const result = await deps.store.commit({ thread_id: task_id, after: null, ...accepted });
  if (result.ok) {
    deps.dispatcher.dispatch(task, { kind: "new", events: result.events });
    return task_id;
  }
  const refusal = acceptConflict(await taskOf(deps, task_id), contract);
  if (refusal !== null) throw refusalError(refusal);
  return task_id;
}

/** Agents and skills run where orch runs. */
function backendFor({ default_backend, skillOf }: OperationDeps, contract: TaskContract): Task["backend"] {
  const isLocal = contract.delegation_mode === "agent" || skillOf(contract.intent) !== null;
  return isLocal ? "local" : (contract.execution_backend ?? default_backend);
}
