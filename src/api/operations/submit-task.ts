// submit_task: the contract is stored, and answered at once or after a bounded wait. Idempotent by task_id: the same
// contract is the same task, another one under that id is refused.
import { z } from "zod";
import { isSameContract, labelsNeeded, SentContract, signatureOf, type TaskContract } from "../../domain/contract.ts";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";
import type { JournalEvent, NewEvent } from "../../domain/journal.ts";
import type { Task } from "../../domain/task.ts";
import { misplacedFields } from "../../domain/unknown-fields.ts";
import { skipRefusal, verifyIssues, verifyRefusals } from "../../engine/tasks/admission.ts";
import { accept, acceptConflict, refusalError } from "../../engine/tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import { invalidInput, type OperationHandler, settled, type WrongHere } from "./operation.ts";
import type { submitTask } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";

export const handleSubmitTask: OperationHandler<typeof submitTask> =
  (deps) =>
  async ({ wait_seconds, ...sent }, { token_id, traceparent, signal }) => {
    const { task_id } = sent;
    const contract = completed(sent, asker(deps, token_id));
    refuseSkip(deps, contract);
    await refuseVerify(deps, contract);
    await store(deps, sent, { contract, traceparent });
    // A held task would be waited for in vain.
    const isHeld =
      deps.task_holds.holdOn({ intent: contract.intent, target_signature: signatureOf(contract) }) !== null;
    const task = isHeld ? null : await settled(deps, task_id, { wait_seconds, signal });
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

const WithIntent = z.object({ intent: z.string() });

/** An intent that is none of the vocabulary. What has another type is the schema's to refuse. */
export const intentIssues =
  ({ intents }: Pick<OperationDeps, "intents">) =>
  (input: unknown): FieldIssue[] => {
    const { data } = WithIntent.safeParse(input);
    const known = data === undefined || intents.has(data.intent);
    return known ? [] : [{ path: "intent", message: unknownIntent(intents) }];
  };

function refuseSkip(deps: OperationDeps, contract: TaskContract): void {
  const message = skipRefusal(deps, contract);
  if (message === null) return;
  const issues = [{ path: "skip_if_done", message }];
  throw new OrchError("contract_invalid", `The contract is not valid. skip_if_done ${message}`, { issues });
}

/** A contract that is sent again is the same task, whichever procedures there are by now. */
async function refuseVerify(deps: OperationDeps, contract: TaskContract): Promise<void> {
  const issues = await verifyRefusals(deps, contract);
  const [first] = issues;
  if (first === undefined || (await deps.store.findTask(contract.task_id)) !== null) return;
  if (verifyIssues(deps, contract).length > 0) throw invalidInput({ name: "submit_task" }, issues);
  throw new OrchError("sop_conflict", `${first.path} ${first.message}.`, { issues });
}

export type SubmitDeps = Pick<OperationDeps, "store" | "clock" | "default_backend" | "target_labels" | "skillOf"> & {
  readonly dispatcher: Pick<OperationDeps["dispatcher"], "dispatch" | "reclaim">;
};

/** Submits a contract of orch itself. The same contract again is the same task; false where another task has its id. */
export async function submitOwn(deps: SubmitDeps, contract: TaskContract): Promise<boolean> {
  const existing = await storeNew(deps, { contract });
  if (existing === null) return true;
  if (acceptConflict(existing, contract) !== null) return false;
  await deps.dispatcher.reclaim(existing);
  return true;
}

type Submitted = { readonly contract: TaskContract; readonly traceparent?: string | undefined };

async function store(deps: SubmitDeps, sent: SentContract, submitted: Submitted): Promise<void> {
  const existing = await storeNew(deps, submitted);
  if (existing === null) return;
  // A field that is left out differs from nothing.
  const refusal = acceptConflict(existing, completed(sent, existing.contract));
  if (refusal !== null) throw refusalError(refusal);
  // The response to the first commit may have been lost, and with it the dispatch.
  await deps.dispatcher.reclaim(existing);
}

/** Returns the task that has the id already; null when this one has it now, and is dispatched. */
async function storeNew(deps: SubmitDeps, { contract, traceparent }: Submitted): Promise<Task | null> {
  const { task_id } = contract;
  const at = deps.clock().toISOString();
  const { task, events, changes } = accept({ contract, ...placeOf(deps, contract), at });
  const first = traceparent === undefined ? events : [...events, joined(traceparent)];
  // Its first step is durable after it, so its run need not wait for the disk.
  const onWritten = (written: readonly JournalEvent[]): void =>
    deps.dispatcher.dispatch(task, { kind: "new", events: written });
  const result = await deps.store.commit({ thread_id: task_id, after: null, events: first, changes, onWritten });
  return result.ok ? null : taskOf(deps, task_id);
}

const joined = (traceparent: string): NewEvent => ({ kind: "trace_joined", body: { traceparent } });

type PlaceDeps = Pick<SubmitDeps, "default_backend" | "target_labels" | "skillOf">;

/** Where a task of the contract will run. An update runs nothing, so it needs no label. */
export const placeOf = (deps: PlaceDeps, contract: TaskContract): Pick<Task, "backend" | "runs_on"> => ({
  backend: backendFor(deps, contract),
  runs_on: contract.intent === "update_sop" ? null : labelsNeeded(contract, deps.target_labels),
});

/** Agents and skills run where orch runs. */
function backendFor({ default_backend, skillOf }: PlaceDeps, contract: TaskContract): Task["backend"] {
  const isLocal = contract.delegation_mode === "agent" || skillOf(contract.intent) !== null;
  return isLocal ? "local" : (contract.execution_backend ?? default_backend);
}

type Deps = Pick<OperationDeps, "store" | "intents">;

export const wrongInSubmit =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { wait_seconds: _wait, ...contract } = Fields.safeParse(input).data ?? {};
    return [...intentIssues(deps)(input), ...(await misplacedIn(contract, () => isStored(deps, contract)))];
  };

export const wrongInExplain =
  (deps: Deps): WrongHere =>
  async (input) => {
    const { contract } = Fields.safeParse(input).data ?? {};
    return (await misplacedIn(contract, () => isStored(deps, contract))).map(inContract);
  };

export const Fields = z.record(z.string(), z.unknown());

export const inContract = ({ path, message }: FieldIssue): FieldIssue => ({ path: `contract.${path}`, message });

/** `isKnown`: it was taken before. */
export async function misplacedIn(contract: unknown, isKnown: () => Promise<boolean>): Promise<FieldIssue[]> {
  const issues = misplacedFields(contract);
  return issues.length === 0 || (await isKnown()) ? [] : issues;
}

async function isStored({ store }: Deps, contract: unknown): Promise<boolean> {
  const { data: sent } = SentContract.safeParse(contract);
  const task = sent === undefined ? null : await store.findTask(sent.task_id);
  return sent !== undefined && task !== null && isSameContract(task.contract, completed(sent, task.contract));
}
