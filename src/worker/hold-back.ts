// What becomes of a dispatched task that a freeze holds (D-323): it is set aside before its claim, or its claim is given back. It is
// dispatched again when something is thawed, in the order of acceptance, and by every look at unfinished tasks (D-222).
import type { HeldBy } from "../domain/freeze.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import { giveBack } from "../tasks/held-back.ts";
import { hasStarted } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { everyPage } from "./every-page.ts";
import type { Freezes } from "./freezes.ts";
import { isUnfinished, UNFINISHED } from "./recovery.ts";
import type { TaskRef } from "./run-thread.ts";

type HoldBackDeps = {
  readonly store: Pick<Store, "commit" | "findTask" | "readJournal">;
  readonly freezes: Pick<Freezes, "holdOn">;
  readonly owner: string;
};

export type HoldBack = {
  /** What holds the task, of which nothing has begun; null when it may run. Nothing is read while nothing is frozen. */
  readonly before: (task: TaskRef) => Promise<HeldBy | null>;
  /** Whether a freeze holds it, as its row shows: it is not looked at again. */
  readonly keeps: (task: Pick<Task, "status" | "intent" | "target_signature">) => boolean;
  /** After a first step that was refused. */
  readonly after: (task: TaskRef, held_by: HeldBy) => Promise<void>;
};

export const createHoldBack = ({ store, freezes, owner }: HoldBackDeps): HoldBack => ({
  before: async (task) => {
    if (freezes.holdOn(task) === null) return null;
    const state = projection(await store.readJournal(task.task_id));
    // Asked again: it may have been thawed meanwhile, and then nothing would dispatch the task.
    return hasStarted(state) ? null : freezes.holdOn(task);
  },
  keeps: (task) => task.status === "accepted" && freezes.holdOn(task) !== null,
  after: async ({ task_id }, held_by) => {
    const after = (await store.readJournal(task_id)).at(-1) ?? null;
    // A claim that was refused with the first step was never written.
    if ((await store.findTask(task_id))?.owner !== owner) return;
    await store.commit({ thread_id: task_id, after, ...giveBack(task_id, held_by) });
  },
});

type ReleaseDeps = {
  readonly store: Pick<Store, "listTaskColumns" | "findTask">;
  readonly freezes: Pick<Freezes, "holdOn">;
  readonly reclaim: (task: Task) => void;
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
    if (found !== null && isUnfinished(found)) reclaim(found);
  }
}
