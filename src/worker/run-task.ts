// Claims one task under a lease and runs it to its end or its next question.
import type { Task } from "../domain/task.ts";
import type { Clock, Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import type { Projection } from "../tasks/projection.ts";
import { claim } from "../tasks/transitions.ts";
import { isFenced } from "./fence.ts";
import { type Checkpoints, type Graph, runThread, type Start } from "./run-thread.ts";
import type { Threads } from "./threads.ts";

export type TaskRef = Pick<Task, "task_id" | "contract" | "target_signature">;

export type RunTaskDeps = {
  readonly store: Store;
  readonly threads: Threads;
  readonly graph: Graph;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly owner: string;
  readonly lease_ms: number;
};

export const leaseEnd = ({ clock, lease_ms }: Pick<RunTaskDeps, "clock" | "lease_ms">): string =>
  new Date(clock().getTime() + lease_ms).toISOString();

/** The part of a task's run between a claim and the next pause or end. */
export type Segment = {
  readonly projection: Projection;
  /** False while the task is paused in the middle of its steps: no other task may have its target. */
  readonly frees_target: boolean;
  /** `ended_elsewhere`: another writer has ended the task. */
  readonly result: "finished" | "paused" | "ended_elsewhere";
};

export async function runTask(deps: RunTaskDeps, { task_id, contract }: TaskRef, start: Start): Promise<Segment> {
  const { threads, owner } = deps;
  const thread = start.kind === "new" ? threads.open(task_id, start.events) : await threads.threadOf(task_id);
  const segment = (result: Segment["result"], frees_target = true): Segment => ({
    projection: thread.journal.projection,
    frees_target,
    result,
  });
  try {
    const recovery = start.kind === "recover";
    const { events, changes } = claim({ task_id, owner, lease_expires_at: leaseEnd(deps), recovery });
    if ((await thread.journal.tryCommit(events, changes)) !== null) return segment("ended_elsewhere");
    const result = await runThread({ ...deps, thread, thread_id: task_id, task_id, input: { contract }, start });
    return segment(result, result === "finished" || !hasStarted(thread.journal.projection));
  } catch (error) {
    if (!isFenced(error) || !threads.hasEnded(task_id)) throw error;
    await deps.checkpoints.deleteThread(task_id);
    return segment("ended_elsewhere");
  } finally {
    threads.close(task_id);
  }
}
