// Holds back a dispatched task that a freeze holds (D-320): it is set aside before its claim, or its claim is given back.
// It is dispatched again when something is thawed, in the order of acceptance, and by every look at unfinished tasks
// (D-222).
import type { Frozen, HeldBy } from "../domain/freeze.ts";
import type { Task } from "../domain/task.ts";
import type { Commit, Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { everyPage } from "./every-page.ts";
import type { Freezes } from "./freezes.ts";
import { isUnfinished, UNFINISHED } from "./recovery.ts";
import { heldBackBy } from "./start-guard.ts";

type HoldBackDeps = {
  readonly store: Pick<Store, "commit" | "findTask" | "readJournal">;
  readonly freezes: Pick<Freezes, "holdOn">;
  readonly owner: string;
};

export type HoldBack = {
  /** Null where a freeze holds the task, of which nothing has begun: it holds nothing itself then. */
  readonly around: <T>(
    task: Pick<Task, "task_id" | "intent" | "target_signature">,
    run: () => Promise<T>,
  ) => Promise<T | null>;
  /** Whether a freeze holds it, as its row shows: it is not looked at again. */
  readonly keeps: (task: Pick<Task, "status" | "intent" | "target_signature">) => boolean;
};

export function createHoldBack({ store, freezes, owner }: HoldBackDeps): HoldBack {
  /** Nothing is read while nothing is frozen. */
  const isHeld = async (task: Frozen & Pick<Task, "task_id">): Promise<boolean> => {
    if (freezes.holdOn(task) === null) return false;
    const state = projection(await store.readJournal(task.task_id));
    // Asked again: it may have been thawed meanwhile, and then nothing would dispatch the task.
    return !hasStarted(state) && freezes.holdOn(task) !== null;
  };

  async function giveBackClaim(task_id: string, held_by: HeldBy): Promise<void> {
    const after = (await store.readJournal(task_id)).at(-1) ?? null;
    // A claim that was refused with the first step was never written.
    if ((await store.findTask(task_id))?.owner !== owner) return;
    await store.commit({ thread_id: task_id, after, ...giveBack(task_id, held_by) });
  }

  return {
    around: async (task, run) => {
      if (await isHeld(task)) return null;
      try {
        return await run();
      } catch (error) {
        const held_by = heldBackBy(error);
        if (held_by === null) throw error;
        await giveBackClaim(task.task_id, held_by);
        return null;
      }
    },
    keeps: (task) => task.status === "accepted" && freezes.holdOn(task) !== null,
  };
}

/** Does not hold where another server has claimed it, or it has ended or paused. */
const giveBack = (task_id: string, held_by: HeldBy): Pick<Commit, "events" | "changes"> => ({
  events: [{ kind: "held_back", body: held_by }],
  changes: [
    { on: "task", task_id, expect: { status: ["running"] }, set: { owner: null, lease_expires_at: null } },
    { on: "target_freed", task_id },
  ],
});

type ReleaseDeps = {
  readonly store: Pick<Store, "listTaskColumns" | "findTask">;
  readonly freezes: Pick<Freezes, "holdOn">;
  readonly reclaim: (task: Task) => Promise<void>;
};

/** Dispatches what is not held any more, the oldest first. What cannot be read is found by the next look. */
export async function releaseHeld({ store, freezes, reclaim }: ReleaseDeps): Promise<void> {
  const columns = await everyPage(
    (page) => store.listTaskColumns({ ...page, status: UNFINISHED }),
    ({ task_id }) => task_id,
  );
  for (const task of columns) {
    if (freezes.holdOn(task) !== null) continue;
    const found = await store.findTask(task.task_id).catch(() => null);
    if (found !== null && isUnfinished(found)) await reclaim(found);
  }
}
