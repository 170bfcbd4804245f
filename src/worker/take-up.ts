// Takes one task up under a lease and brings it to its end or its next question.

import { OrchError } from "../domain/errors.ts";
import type { JournalEvent } from "../domain/journal.ts";
import { outcome } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { Clock, Store } from "../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { hasStarted, procedureOf } from "../tasks/progress.ts";
import { claim, end } from "../tasks/transitions.ts";
import { type Checkpoints, type Graph, runThread, type Taking } from "./run-thread.ts";
import type { Threads } from "./threads.ts";

export type Taken = Pick<Task, "task_id" | "contract" | "target_signature">;

export type TakeUpDeps = {
  readonly store: Store;
  readonly threads: Threads;
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly owner: string;
  readonly lease_ms: number;
};

export const leaseEnd = ({ clock, lease_ms }: Pick<TakeUpDeps, "clock" | "lease_ms">): string =>
  new Date(clock().getTime() + lease_ms).toISOString();

export type Stretch = {
  readonly events: readonly JournalEvent[];
  /** Whether another task may have the target now: not while this one is paused in the middle of its steps. */
  readonly frees_target: boolean;
  /** `ended_elsewhere`: another writer has ended the task. */
  readonly result: "finished" | "paused" | "ended_elsewhere";
};

export async function takeUp(deps: TakeUpDeps, { task_id, contract }: Taken, taking: Taking): Promise<Stretch> {
  const { threads, owner } = deps;
  const thread = taking.as === "new" ? threads.open(task_id, taking.events) : await threads.threadOf(task_id);
  try {
    const { events: claimed, changes } = claim({
      task_id,
      owner,
      lease_expires_at: leaseEnd(deps),
      recovery: taking.as === "found",
    });
    const conflict = await thread.journal.tryCommit(claimed, changes);
    if (conflict !== null) return { events: thread.journal.events, frees_target: true, result: "ended_elsewhere" };
    const stretch = { ...deps, thread, thread_id: task_id, task_id, input: { contract }, taking };
    const result = await runThread(stretch);
    const { events } = thread.journal;
    return { events, result, frees_target: result === "finished" || !hasStarted(events) };
  } catch (error) {
    if (!isFenced(error) || !threads.hasEnded(task_id)) throw error;
    await deps.checkpoints.deleteThread(task_id);
    return { events: thread.journal.events, frees_target: true, result: "ended_elsewhere" };
  } finally {
    threads.close(task_id);
  }
}

/** Whether the thread was lost: its server stops, another server has claimed it, or it has ended. */
export const isFenced = (error: unknown): boolean => error instanceof OrchError && error.code === "fenced";

/** Reports a task that orch itself could not carry on. False when even that could not be written. */
export async function endWithError(
  { store, clock }: TakeUpDeps,
  { task_id }: Taken,
  message: string,
): Promise<boolean> {
  try {
    const journal = await store.readJournal(task_id);
    const failed = outcome("failed", "internal_error", `orch could not carry the task on: ${message}.`, {
      thread_id: task_id,
    });
    const at = clock().toISOString();
    const procedure = procedureOf(journal);
    const ended = end({ task_id, outcome: failed, at, procedure, withdrawn: withdrawn(journal) });
    return (await store.commit({ thread_id: task_id, after: journal.at(-1) ?? null, ...ended })).ok;
  } catch {
    return false;
  }
}
