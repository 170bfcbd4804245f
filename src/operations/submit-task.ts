// submit_task: the contract is stored, and answered at once or after a bounded wait. Idempotent by task_id: the same
// contract is the same task, another one under that id is refused.
import { z } from "zod";
import type { SentContract, TaskContract } from "../domain/contract.ts";
import { type FieldIssue, OrchError } from "../domain/errors.ts";
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
  async ({ wait_seconds, ...sent }, { token_id, signal }) => {
    const { task_id } = sent;
    const contract = completed(sent, asker(deps, token_id));
    refuseSkip(deps, contract);
    await store(deps, sent, contract);
    const task = await settled(deps, task_id, { wait_seconds, signal });
    return viewOf(deps, task ?? (await taskOf(deps, task_id)));
  };

type Asker = Pick<TaskContract, "requested_by" | "requested_at">;

/** Who asks, and when, where the contract does not say it (D-207). */
export const asker = ({ clock }: Pick<OperationDeps, "clock">, token_id: string): Asker => ({
  requested_by: token_id,
  requested_at: clock().toISOString(),
});

export const completed = (sent: SentContract, { requested_by, requested_at }: Asker): TaskContract => ({
  ...sent,
  requested_by: sent.requested_by ?? requested_by,
  requested_at: sent.requested_at ?? requested_at,
});

export const unknownIntent = (intents: ReadonlySet<string>): string =>
  `is not a known intent; use one of ${[...intents].join(", ")}`;

/** An intent that is none of the vocabulary, and values of a target that name nothing. What has another type is the schema's to refuse. */
export const intentIssues =
  ({ intents }: Pick<OperationDeps, "intents">) =>
  (input: unknown): FieldIssue[] => {
    const { data } = z.object({ intent: z.string() }).safeParse(input);
    const known = data === undefined || intents.has(data.intent);
    return [...(known ? [] : [{ path: "intent", message: unknownIntent(intents) }]), ...emptyValues(input)];
  };

/** The schema reads what is stored too, where such values may be. */
function emptyValues(input: unknown): FieldIssue[] {
  const { data } = z.object({ target: z.record(z.string(), z.unknown()) }).safeParse(input);
  const empty = Object.entries(data?.target ?? {}).filter(([, value]) => value === "");
  return empty.map(([name]) => ({ path: `target.${name}`, message: "must not be empty; leave it out" }));
}

function refuseSkip(deps: OperationDeps, contract: TaskContract): void {
  const message = skipRefusal(deps, contract);
  if (message === null) return;
  const issues = [{ path: "skip_if_done", message }];
  throw new OrchError("contract_invalid", `The contract is not valid. skip_if_done ${message}`, { issues });
}

async function store(deps: OperationDeps, sent: SentContract, contract: TaskContract): Promise<void> {
  const { task_id } = contract;
  const { task, ...accepted } = accept({
    contract,
    backend: backendFor(deps, contract),
    at: deps.clock().toISOString(),
  });
  const result = await deps.store.commit({ thread_id: task_id, after: null, ...accepted });
  if (result.ok) {
    deps.dispatcher.dispatch(task, { kind: "new", events: result.events });
    return;
  }
  const existing = await taskOf(deps, task_id);
  // A field that is left out differs from nothing.
  const refusal = acceptConflict(existing, completed(sent, existing.contract));
  if (refusal !== null) throw refusalError(refusal);
  // The response to the first commit may have been lost, and with it the dispatch.
  deps.dispatcher.reclaim(existing);
}

/** Agents and skills run where orch runs. */
function backendFor({ default_backend, skillOf }: OperationDeps, contract: TaskContract): Task["backend"] {
  const isLocal = contract.delegation_mode === "agent" || skillOf(contract.intent) !== null;
  return isLocal ? "local" : (contract.execution_backend ?? default_backend);
}
