// Which task has each target, on all servers: the rows as of the last look (D-314). The only server of a database has them in memory.
import { exclusiveTarget } from "../domain/contract.ts";
import type { Task } from "../domain/task.ts";
import type { Servers, Store } from "../ports.ts";
import type { TargetLocks } from "./target-locks.ts";

type Targeting = Pick<Task, "task_id" | "intent" | "target_signature">;
type Paused = Targeting & Pick<Task, "status">;

export type TargetHolds = {
  readonly look: () => Promise<void>;
  /** Whether another task has the target, so that to claim this one would be refused. */
  readonly keepOut: (task: Targeting) => boolean;
  /** Gives a task its target that was paused in the middle by a version without rows. */
  readonly ensure: (task: Paused) => Promise<void>;
  readonly holderOf: TargetLocks["holderOf"];
};

type Deps = {
  readonly store: Pick<Store, "commit" | "listHolds">;
  readonly servers: Pick<Servers, "are_many">;
  readonly locks: Pick<TargetLocks, "holderOf">;
};

export function createTargetHolds({ store, servers, locks }: Deps): TargetHolds {
  let holders: ReadonlyMap<string, string> = new Map();
  return {
    look: async () => {
      if (servers.are_many)
        holders = new Map((await store.listHolds()).map((one) => [one.target_signature, one.task_id]));
    },
    keepOut: (task) => {
      const target = exclusiveTarget(task);
      const holder = target === null ? undefined : holders.get(target);
      return holder !== undefined && holder !== task.task_id;
    },
    ensure: async (task) => {
      const { task_id, status } = task;
      const target_signature = exclusiveTarget(task);
      if (!servers.are_many || target_signature === null || holders.get(target_signature) === task_id) return;
      // It may have ended since it was read: then nothing would free its target.
      const paused = { on: "task", task_id, expect: { status: [status] }, set: {} } as const;
      const held = { on: "target_held", target_signature, task_id } as const;
      await store.commit({ thread_id: task_id, after: "last", events: [], changes: [paused, held] });
    },
    holderOf: (signature) => holders.get(signature) ?? locks.holderOf(signature),
  };
}
