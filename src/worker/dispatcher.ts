// Decides when a task runs: one at a time per target (D-012), a bounded number at once, and again from its journal after an
// error or a stop (D-015).
import PQueue from "p-queue";
import { READ_ONLY_INTENTS } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import type { Timer } from "../ports.ts";
import type { Projection } from "../tasks/projection.ts";
import { failTask } from "./fail-task.ts";
import { isFenced } from "./fence.ts";
import { pausedInTheMiddle, unfinishedInOrder } from "./recovery.ts";
import { leaseEnd, type RunTaskDeps, runTask, type Start, type TaskRef } from "./run-thread.ts";
import type { TargetLocks } from "./target-locks.ts";

export type DispatcherDeps = RunTaskDeps & {
  readonly locks: TargetLocks;
  readonly concurrency: number;
  readonly timer: Timer;
  /** Called with the projection of a task that has finished: candidates are promoted from here. */
  readonly onFinished: (projection: Projection) => void;
  /** Called after a task has paused: its approval may expire. */
  readonly onPaused: () => void;
  readonly log: { error(details: object, message: string): void };
};

export type Dispatcher = {
  readonly dispatch: (task: TaskRef, start: Start) => void;
  /** Dispatches every unfinished task, and holds the target of each one that paused in the middle of its steps. */
  readonly recover: () => Promise<void>;
  /** Frees the target of a task that ended while it was paused, and deletes its checkpoints. */
  readonly forget: (task: TaskRef) => Promise<void>;
  readonly renewLeases: () => Promise<void>;
  /** Starts no further step and waits for the running ones. After `ms` it kills them; their outcome is unknown. */
  readonly drain: (ms: number) => Promise<void>;
};

const RETRY_MS = [1_000, 5_000, 30_000];
const LAST_RETRY_MS = 30_000;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, threads, locks, timer, log } = deps;
  const queue = new PQueue({ concurrency: deps.concurrency });
  let draining = false;

  const acquireTarget = async (task: TaskRef): Promise<void> => {
    if (!isShared(task)) await locks.acquire(task.target_signature, task.task_id);
  };
  const releaseTarget = (task: TaskRef): void => {
    if (!isShared(task)) locks.release(task.target_signature, task.task_id);
  };
  const dispatch = (task: TaskRef, start: Start, tries = 0): void => {
    void acquireTarget(task).then(() => queue.add(() => run(task, start, tries)));
  };

  async function run(task: TaskRef, start: Start, tries: number): Promise<void> {
    if (draining) return;
    try {
      const { projection, frees_target, result } = await runTask(deps, task, start);
      if (frees_target) releaseTarget(task);
      if (result === "finished") deps.onFinished(projection);
      else if (result === "paused") deps.onPaused();
    } catch (error) {
      if (!isFenced(error)) await retry(task, tries, error);
    }
  }

  // The database may be unreachable, or there is a bug: recover the task a few times, then fail it.
  async function retry(task: TaskRef, tries: number, error: unknown): Promise<void> {
    log.error(
      { task_id: task.task_id, err: error },
      "a task was cut off by an error; it is recovered from its journal",
    );
    const fault = error instanceof OrchError ? error.message : "an unexpected error, see the log";
    if (tries >= RETRY_MS.length && (await failTask(deps, task.task_id, fault))) return releaseTarget(task);
    timer(() => dispatch(task, { kind: "recover" }, tries + 1), RETRY_MS[tries] ?? LAST_RETRY_MS);
  }

  return {
    dispatch,
    forget: async (task) => {
      releaseTarget(task);
      await deps.checkpoints.deleteThread(task.task_id);
    },
    recover: async () => {
      await deps.checkpoints.sweep();
      for (const task of await pausedInTheMiddle(store)) await acquireTarget(task);
      for (const task of await unfinishedInOrder(store)) dispatch(task, { kind: "recover" });
    },
    renewLeases: () => store.renewLeases(deps.owner, leaseEnd(deps)),
    drain: async (ms) => {
      draining = true;
      threads.drain();
      await Promise.race([queue.onIdle(), new Promise<void>((resolve) => timer(resolve, ms))]);
      threads.abandon();
      await queue.onIdle();
    },
  };
}

/** Diagnostic tasks share their target. The empty target names nothing that could be shared. */
const isShared = ({ contract, target_signature }: TaskRef): boolean =>
  READ_ONLY_INTENTS.has(contract.intent) || target_signature === "";
