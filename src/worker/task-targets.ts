// The targets of tasks: which task shares its target, and which one locks it (D-012).
import { READ_ONLY_INTENTS } from "../domain/contract.ts";
import type { TaskRef } from "./run-thread.ts";
import type { TargetLocks } from "./target-locks.ts";

export type TaskTargets = {
  readonly acquire: (task: TaskRef) => Promise<void>;
  readonly release: (task: TaskRef) => void;
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
const isShared = ({ contract, target_signature }: TaskRef): boolean =>
  READ_ONLY_INTENTS.has(contract.intent) || target_signature === "";
