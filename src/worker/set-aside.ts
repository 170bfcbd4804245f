// Tasks that this server has set aside, because a task of another server has their target (D-333). They are tried again once that one has
// reported; the others leave them to this server, until a look at everything. Here each keeps its place before those that came later.
import type { TaskRef } from "./run-thread.ts";
import type { TargetHolds } from "./target-holds.ts";

type Waiting = Pick<TaskRef, "task_id" | "intent" | "target_signature">;

type Deps = {
  readonly holds: Pick<TargetHolds, "look" | "keepOut" | "free">;
  /** Rejects while the database does not work: then a look finds the task. */
  readonly retry: (task: Waiting) => Promise<void>;
  /** What the task has here is for the next one. */
  readonly release: (task: Waiting) => void;
};

export type SetAside = {
  readonly add: (task: Waiting) => void;
  readonly has: (task_id: string) => boolean;
  /** The task has ended or paused: what it had is free, until a look says otherwise. */
  readonly free: (task_id: string) => void;
  /** After a look at which task has each target: an end may have been missed. */
  readonly retryFree: () => Promise<void>;
};

export function createSetAside({ holds, retry, release }: Deps): SetAside {
  const waiting = new Map<string, Waiting>();
  async function retryFree(): Promise<void> {
    for (const task of [...waiting.values()]) {
      if (holds.keepOut(task) || !waiting.delete(task.task_id)) continue;
      await retry(task).catch(() => undefined);
    }
  }
  return {
    add: (task) => {
      waiting.set(task.task_id, task);
      // The one that has the target is not known yet, or has just ended.
      if (!holds.keepOut(task)) void holds.look().then(retryFree, () => undefined);
    },
    has: (task_id) => waiting.has(task_id),
    free: (task_id) => {
      const task = waiting.get(task_id);
      waiting.delete(task_id);
      if (task !== undefined) release(task);
      if (holds.free(task_id)) void retryFree();
    },
    retryFree,
  };
}
