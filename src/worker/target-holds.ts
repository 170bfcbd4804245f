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
  /** Whether the task has its target. */
  readonly isHolder: (task: Targeting) => boolean;
  /** What the task had is free, until a look says otherwise. False where it had none. */
  readonly free: (task_id: string) => boolean;
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
  let holders = new Map<string, string>();
  /** Those that have given their target back since a look has begun: it may have read their row before. */
  const freed = new Set<string>();
  let looking = 0;

  async function look(): Promise<void> {
    looking += 1;
    try {
      const found = (await store.listHolds()).filter(({ task_id }) => !freed.has(task_id));
      holders = new Map(found.map((one) => [one.target_signature, one.task_id]));
    } finally {
      looking -= 1;
      if (looking === 0) freed.clear();
    }
  }

  const holderFor = (task: Targeting): string | undefined => {
    const target = exclusiveTarget(task);
    return target === null ? undefined : holders.get(target);
  };

  return {
    look: async () => {
      if (servers.are_many) await look();
    },
    free: (task_id) => {
      if (looking > 0) freed.add(task_id);
      const had = [...holders].filter(([, holder]) => holder === task_id);
      for (const [target] of had) holders.delete(target);
      return had.length > 0;
    },
    keepOut: (task) => {
      const holder = holderFor(task);
      return holder !== undefined && holder !== task.task_id;
    },
    isHolder: (task) => holderFor(task) === task.task_id,
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
