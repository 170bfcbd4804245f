// submit_task: the contract is stored, and answered at once or after a bounded wait. Idempotent by task_id: the same
// contract is the same task, another one under that id is refused.
import { contractDigest, signatureOf, type TaskContract } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import type { Task } from "../domain/task.ts";
import type { OperationDeps } from "./deps.ts";
import type { Handler } from "./operation.ts";
import type { submitTask } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

export const handleSubmitTask: Handler<typeof submitTask> =
  (deps) =>
  async ({ wait_seconds, ...fields }, { signal }) => {
    const contract: TaskContract = fields;
    refuseUnknownIntent(deps, contract);
    const task_id = await store(deps, contract);
    const task = await settled(deps, task_id, { wait_seconds, signal });
    return viewOf(deps, task ?? (await taskOf(deps, task_id)));
  };

export const unknownIntent = (intents: ReadonlySet<string>): string =>
  `is not a known intent; use one of ${[...intents].join(", ")}`;

function refuseUnknownIntent({ intents }: OperationDeps, { intent }: TaskContract): void {
  if (intents.has(intent)) return;
  const message = unknownIntent(intents);
  throw new OrchError("contract_invalid", "The contract is not valid.", { issues: [{ path: "intent", message }] });
}

async function store(deps: OperationDeps, contract: TaskContract): Promise<string> {
  const { task_id } = contract;
  const contract_digest = contractDigest(contract);
  const task = newTask(deps, contract, contract_digest);
  const events = [{ kind: "task_accepted", body: { contract, contract_digest, backend: task.backend } }] as const;
  const commit = { thread_id: task_id, after: null, events, changes: [{ on: "task_created", task }] } as const;
  const result = await deps.store.commit(commit);
  if (result.ok) {
    deps.dispatcher.take(task, { as: "new", events: result.events });
    return task_id;
  }
  const existing = await taskOf(deps, task_id);
  if (existing.contract_digest === contract_digest) return task_id;
  throw new OrchError("task_exists", `Task ${task_id} exists with another contract; use a new task_id.`, {
    current: { task_id, status: existing.status, contract: existing.contract },
  });
}

function newTask(
  { clock, default_backend, skillOf }: OperationDeps,
  contract: TaskContract,
  contract_digest: string,
): Task {
  const at = clock().toISOString();
  const isLocal = contract.delegation_mode === "agent" || skillOf(contract.intent) !== null;
  return {
    task_id: contract.task_id,
    contract,
    contract_digest,
    intent: contract.intent,
    target_signature: signatureOf(contract),
    delegation_mode: contract.delegation_mode,
    status: "accepted",
    outcome: null,
    waiting: null,
    sop_id: null,
    sop_version: null,
    backend: isLocal ? "local" : (contract.execution_backend ?? default_backend),
    owner: null,
    lease_expires_at: null,
    verification: null,
    created_at: at,
    updated_at: at,
    ended_at: null,
  };
}
