// Locks the targets of tasks (D-012): a target as it is written, and the directory that its compose_dir leads to.
import { realpath } from "node:fs/promises";
import { exclusiveTarget } from "../domain/contract.ts";
import { targetOfSignature, targetSignature } from "../domain/target.ts";
import type { Task } from "../domain/task.ts";
import type { Timer } from "../ports.ts";
import type { TargetHolds } from "./target-holds.ts";
import type { TargetLocks } from "./target-locks.ts";

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;

export type TaskTargets = {
  readonly acquire: (task: Targeting) => Promise<void>;
  /** Queues the task for its target, and does not wait for it. */
  readonly keep: (task: Targeting) => Promise<void>;
  /** Whether another task has its target here. */
  readonly isTaken: (task: Targeting) => boolean;
  readonly release: (task: Targeting) => void;
};

type Deps = {
  readonly locks: TargetLocks;
  readonly holds: Pick<TargetHolds, "isHolder">;
  readonly timer: Timer;
  /** Called with each task that has no target any more. */
  readonly onFree: (task_id: string) => void;
};

export function taskTargets({ locks, holds, timer, onFree }: Deps): TaskTargets {
  const real_targets = new Map<string, string>();

  /** Queues for the directory only with the target in hand: two tasks never wait for each other. */
  async function queueForDirectory(target: string, task_id: string): Promise<{ readonly acquired: Promise<void> }> {
    const real = await realTarget(target, timer);
    // A task that was released meanwhile locks nothing.
    if (real === null || locks.holderOf(target) !== task_id) return { acquired: Promise.resolve() };
    real_targets.set(task_id, real);
    return { acquired: locks.acquire(real, task_id) };
  }

  const queueFor = (target: string, task: Targeting) =>
    locks.acquire(target, task.task_id, holds.isHolder(task)).then(() => queueForDirectory(target, task.task_id));
  const isTaken: TaskTargets["isTaken"] = (task) => {
    const target = exclusiveTarget(task);
    const holder = target === null ? null : locks.holderOf(target);
    return holder !== null && holder !== task.task_id;
  };

  return {
    acquire: async (task) => {
      const target = exclusiveTarget(task);
      if (target !== null) await (await queueFor(target, task)).acquired;
    },
    isTaken,
    keep: async (task) => {
      const target = exclusiveTarget(task);
      const queued = target === null ? null : queueFor(target, task);
      if (!isTaken(task)) await queued;
    },
    release: (task) => {
      const target = exclusiveTarget(task);
      if (target === null) return;
      const real = real_targets.get(task.task_id);
      real_targets.delete(task.task_id);
      if (real !== undefined) locks.release(real, task.task_id);
      locks.release(target, task.task_id);
      onFree(task.task_id);
    },
  };
}

/** A directory of a network mount may not answer. */
const REALPATH_MS = 2_000;

/** The target with the real path of its compose_dir; null where that is the same, or where there is none. */
async function realTarget(signature: string, timer: Timer): Promise<string | null> {
  const target = targetOfSignature(signature);
  const { compose_dir } = target;
  if (compose_dir === undefined) return null;
  const real = await new Promise<string | null>((resolve) => {
    const cancel = timer(() => resolve(null), REALPATH_MS);
    void realpath(compose_dir)
      .catch(() => null)
      .then(resolve)
      .then(cancel);
  });
  return real === null || real === compose_dir ? null : targetSignature({ ...target, compose_dir: real });
}
