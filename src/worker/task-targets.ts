// The targets of tasks: which task shares its target, and which one locks it (D-012).
import { READ_ONLY_INTENTS } from "../domain/contract.ts";
import type { Task } from "../domain/task.ts";
import type { TargetLocks } from "./target-locks.ts";

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;

export type TaskTargets = {
  readonly acquire: (task: Targeting) => Promise<void>;
  readonly release: (task: Targeting) => void;
};

export const taskTargets = (locks: TargetLocks): TaskTargets => ({
  acquire: async (task) => {
    if (!isShared(task)) await locks.acquire(task.target_signature, task.task_id);
  },
  release: (task) => {
    if (!isShared(task)) locks.release(task.target_signature, task.task_id);
  },
});

/** Diagnostic tasks share their target. The empty target names nothing that could be shared. */
const isShared = ({ intent, target_signature }: Targeting): boolean =>
  READ_ONLY_INTENTS.has(intent) || target_signature === "";
