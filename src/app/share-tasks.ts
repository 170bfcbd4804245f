// A task that waits for a place here is taken up by a server that has one (D-317). Each looks at the task itself before it claims it. The
// promotions that a server leaves at its end are looked for in the same way (D-332).
import { neededHere } from "../domain/labels.ts";
import type { Task } from "../domain/task.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import type { Store } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";
import type { Dispatcher } from "../worker/dispatcher.ts";
import type { Promotions } from "../worker/promotions.ts";

type Sharing = {
  readonly wakeups: Pick<Wakeups, "send" | "work">;
  readonly store: Pick<Store, "findTask">;
};

type Workers = {
  readonly dispatcher: () => Pick<Dispatcher, "reclaim" | "isLeaving">;
  readonly promotions: Pick<Promotions, "reconcile">;
};

export function shareTasks({ wakeups, store }: Sharing, { dispatcher, promotions }: Workers) {
  const work = wakeups.work(async (thread_id) => {
    const { reclaim, isLeaving } = dispatcher();
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
  return {
    onWaiting: ({ task_id, ...place }: Pick<Task, "task_id" | "backend" | "runs_on">) =>
      wakeups.send(task_id, { labels: neededHere(place) ?? [] }),
    onPlaces: (is_free: boolean) => (is_free ? work.resume() : work.pause()),
  };
}
