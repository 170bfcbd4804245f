// Cancels a task whose row or journal cannot be read: the way out of the quarantine for somebody who has looked at the target
// (D-233). One of the two has to be whole: the contract is in both.

import type { Change } from "../domain/change.ts";
import { isQuarantined, wordsOf } from "../domain/errors.ts";
import { hasEnded } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import { initial, projection } from "../tasks/projection.ts";
import { accept, cancelConflict, cancelQuarantined, refusalError } from "../tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import type { TaskView } from "./shapes/task-view.ts";
import { taskOf, viewFrom } from "./task-view.ts";

type Cancelled = { readonly task_id: string; readonly reason: string | null; readonly error: unknown };

export async function endQuarantined(deps: OperationDeps, cancelled: Cancelled): Promise<TaskView> {
  const { task_id, reason, error } = cancelled;
  // A running thread has its journal in memory, and ends by itself.
  if (!isQuarantined(error) || deps.threads.isOpen(task_id)) throw error;
  const task = (await fromJournal(deps, cancelled)) ?? (await taskOf(deps, task_id));
  const refusal = cancelConflict(task);
  if (refusal !== null) throw refusalError(refusal);
  const withdrawn = await openApprovals(deps, task_id);
  const ended = cancelQuarantined(task, { reason, fault: wordsOf(error), at: deps.clock().toISOString(), withdrawn });
  const { ok } = await deps.store.commit({ thread_id: task_id, after: "last", ...ended });
  if (!ok) throw error;
  await deps.dispatcher.forget(task);
  const journal = await deps.store.readJournal(task_id).catch(() => null);
  return viewFrom(deps, await taskOf(deps, task_id), journal === null ? initial() : projection(journal));
}

/** The task as it was accepted; null where the journal cannot be read. Rejects with the fault of the row where it has ended. */
async function fromJournal({ store }: OperationDeps, { task_id, error }: Cancelled): Promise<Task | null> {
  const journal = await store.readJournal(task_id).catch(() => []);
  const { accepted, reported } = projection(journal);
  const [first] = journal;
  if (accepted === null || first === undefined) return null;
  if (reported !== null && hasEnded(reported.status)) throw error;
  const { contract, backend = "local", runs_on = null } = accepted;
  return accept({ contract, backend, runs_on, at: first.at }).task;
}

async function openApprovals({ store }: OperationDeps, thread_id: string): Promise<Change[]> {
  const pending = await store.listApprovals({ thread_id, status: "pending", limit: 100 });
  return pending.map(({ approval_id }) => ({ on: "approval", approval_id, set: { status: "superseded" } }));
}
