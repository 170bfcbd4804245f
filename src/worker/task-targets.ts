// The targets of tasks: which task shares its target, and which one locks it (D-012).
import { exclusiveTarget } from "../domain/contract.ts";
import type { Task } from "../domain/task.ts";
import type { TargetLocks } from "./target-locks.ts";

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;

export type TaskTargets = {
  readonly acquire: (task: Targeting) => Promise<void>;
  /** Whether another task has its target here. */
  readonly isTaken: (task: Targeting) => boolean;
  readonly release: (task: Targeting) => void;
};

/** `onFree` is called with each task that has no target any more. */
export const taskTargets = (locks: TargetLocks, onFree: (task_id: string) => void): TaskTargets => ({
  acquire: async (task) => {
    const target = exclusiveTarget(task);
    if (target !== null) await locks.acquire(target, task.task_id);
  },
  isTaken: (task) => {
    const target = exclusiveTarget(task);
    const holder = target === null ? null : locks.holderOf(target);
    return holder !== null && holder !== task.task_id;
  },
  release: (task) => {
    const target = exclusiveTarget(task);
    if (target === null) return;
    locks.release(target, task.task_id);
    onFree(task.task_id);
  },
});
