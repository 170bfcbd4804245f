// The targets of tasks: which task shares its target, and which one locks it (D-012).
import { exclusiveTarget } from "../domain/contract.ts";
import type { Task } from "../domain/task.ts";
import type { TargetHolds } from "./target-holds.ts";
import type { TargetLocks } from "./target-locks.ts";

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;

export type TaskTargets = {
  readonly acquire: (task: Targeting) => Promise<void>;
  /** Whether another task has its target here. */
  readonly isTaken: (task: Targeting) => boolean;
  readonly release: (task: Targeting) => void;
};

type Deps = {
  readonly locks: TargetLocks;
  readonly holds: Pick<TargetHolds, "isHolder">;
  /** Called with each task that has no target any more. */
  readonly onFree: (task_id: string) => void;
};

export const taskTargets = ({ locks, holds, onFree }: Deps): TaskTargets => ({
  acquire: async (task) => {
    const target = exclusiveTarget(task);
    if (target !== null) await locks.acquire(target, task.task_id, holds.isHolder(task));
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
