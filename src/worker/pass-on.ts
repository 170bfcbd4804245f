// Passes tasks on: one that waits for a place here is taken up by a server that has one (D-317). Each looks at the task itself before it
// claims it. The promotions that a server leaves at its end are looked for in the same way (D-332).
import { neededHere } from "../domain/labels.ts";
import type { Task } from "../domain/task.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";
import type { Wakeups, WakeupWork } from "../wakeups/port.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Promotions } from "./promotions.ts";

export const passOnBy =
  ({ send }: Pick<Wakeups, "send">) =>
  ({ task_id, ...place }: Pick<Task, "task_id" | "backend" | "runs_on">): Promise<void> =>
    send(task_id, { labels: neededHere(place) ?? [] });

type Taking = {
  readonly wakeups: Pick<Wakeups, "work">;
  readonly store: Pick<Store, "findTask">;
  readonly dispatcher: Pick<Dispatcher, "reclaim" | "isLeaving">;
  readonly promotions: Pick<Promotions, "reconcile">;
};

/** It may be paused while no place is free here. */
export const takeUpPassedOn = ({ wakeups, store, dispatcher, promotions }: Taking): WakeupWork =>
  wakeups.work(async (thread_id) => {
    const { reclaim, isLeaving } = dispatcher;
    // Another server hears of it then.
    if (isLeaving()) return "again";
    if (subjectOfThread(thread_id).kind === "promotion") {
      await promotions.reconcile();
      return "done";
    }
    const task = await store.findTask(thread_id);
    if (task !== null) await reclaim(task);
    return "done";
  });
