// Decides when a task runs: one at a time per target (D-012), a bounded number at once, and again from its journal after an
// error or a stop (D-015).
import { wordsOf } from "../domain/errors.ts";
import type { Quarantine } from "../domain/quarantine.ts";
import type { Task } from "../domain/task.ts";
import type { Predecessor } from "../ports.ts";
import { isClaimable } from "./claimable.ts";
import { createProbe } from "./database-probe.ts";
import { pausedInTheMiddle, unfinishedInOrder } from "./recovery.ts";
import { leaseEnd, type Start, type TaskRef } from "./run-thread.ts";
import type { TargetLocks } from "./target-locks.ts";
import { createTaskRuns, type TaskRunsDeps } from "./task-runs.ts";
import { taskTargets } from "./task-targets.ts";

export type DispatcherDeps = TaskRunsDeps & {
  readonly locks: TargetLocks;
  readonly predecessor: Predecessor;
  /** Rejects while the database does not work. */
  readonly ping: () => Promise<unknown>;
  /** Called for a task whose journal cannot be read: it is not run, and keeps its target until the next start (D-226). */
  readonly onQuarantined?: Quarantine["add"];
};

export type Dispatcher = {
  /** Without effect on a task that this server holds already, except for an answer to the question that it has just asked. */
  readonly dispatch: (task: TaskRef, start: Start) => void;
  /** Dispatches an unfinished task, unless a server that may live works on it (D-221). */
  readonly reclaim: (task: Task) => void;
  /** Reclaims every unfinished task that this server does not hold (D-222). */
  readonly reconcile: () => Promise<void>;
  /** Dispatches every unfinished task, and holds the target of each one that paused in the middle of its steps. */
  readonly recover: () => Promise<void>;
  /** Frees the target of a task that ended while it was paused, and deletes its checkpoints. */
  readonly forget: (task: TaskRef) => Promise<void>;
  readonly renewLeases: () => Promise<void>;
  /** Starts no further step and waits for the running ones. After `ms` it kills them; their outcome is unknown. */
  readonly drain: (ms: number) => Promise<void>;
};

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, threads, timer, clock, owner, predecessor } = deps;
  const targets = taskTargets(deps.locks);
  const renewLeases = () => store.renewLeases(owner, leaseEnd(deps));
  const runs = createTaskRuns(deps, { targets, usable: createProbe(deps) });
  const mayClaim = (task: Task): boolean => isClaimable(task, { owner, predecessor, clock });

  const reclaim = (task: Task): void => {
    if (isUnfinished(task) && mayClaim(task)) runs.dispatch(task, { kind: "recover" });
  };

  const quarantine = async (task: Task, error: unknown): Promise<void> => {
    // While the database does not work, the fault says nothing about the task.
    await deps.ping();
    const { task_id } = task;
    runs.hold(task);
    void targets.acquire(task);
    deps.log.error(
      { task_id, err: error },
      "a task cannot be read; it is left out of the recovery and keeps its target",
    );
    deps.onQuarantined?.({ record: "task", id: task_id, fault: wordsOf(error) });
  };

  return {
    dispatch: runs.dispatch,
    reclaim,
    reconcile: async () => {
      // A task that was held when the rows were read may have paused or ended since.
      const held = runs.held();
      for (const task of await store.unfinishedTasks()) if (!held.has(task.task_id)) reclaim(task);
    },
    forget: async (task) => {
      runs.forget(task);
      targets.release(task);
      await deps.checkpoints.deleteThread(task.task_id);
    },
    recover: async () => {
      await deps.checkpoints.sweep();
      for (const task of await pausedInTheMiddle(store, quarantine)) void targets.acquire(task);
      for (const task of await unfinishedInOrder(store, quarantine)) {
        // While a server that may live works on it, no other task may have its target.
        if (!mayClaim(task)) void targets.acquire(task);
        reclaim(task);
      }
    },
    renewLeases,
    drain: async (ms) => {
      runs.stop();
      threads.drain();
      await Promise.race([runs.onIdle(), new Promise<void>((resolve) => timer(resolve, ms))]);
      threads.abandon();
      await runs.onIdle();
    },
  };
}

const isUnfinished = ({ status }: Task): boolean => status === "accepted" || status === "running";
