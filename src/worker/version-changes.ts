// Continues what depends on the version in use, after it has changed: candidates that name another one, and tasks that wait to be
// taught a procedure that is known by now.
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import { activeSop } from "../tasks/active-sop.ts";
import { withdrawTeaching } from "../tasks/answer-pause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { everyPage } from "./every-page.ts";
import type { Promotions } from "./promotions.ts";
import { isFenced } from "./thread-journal.ts";

type Deps = {
  readonly store: Pick<Store, "listTasks" | "findActiveSop" | "listSops" | "listApprovals" | "commit">;
  readonly promotions: Pick<Promotions, "reconcile">;
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  readonly log: { error(details: object, message: string): void };
};

export type VersionChanges = {
  /** Called after a version may have come into use, or gone out of it. */
  readonly note: () => void;
  /** Continues the tasks that wait to be taught a procedure that is in use. May be repeated at any time. */
  readonly continueTasks: () => Promise<void>;
  /** Starts no further search. Resolves when the current search has ended, because that one may start a promotion. */
  readonly stop: () => Promise<void>;
};

export function createVersionChanges(deps: Deps): VersionChanges {
  const { log } = deps;
  const continueTasks = () => continueKnown(deps);
  const failed = (err: unknown): void => {
    if (!isFenced(err))
      log.error({ err }, "could not search for candidates and for tasks that wait for a version; retrying");
  };
  const search = (): Promise<void> => deps.promotions.reconcile().then(continueTasks).catch(failed);
  let searching = Promise.resolve();
  let isStopped = false;
  return {
    continueTasks,
    note: () => {
      if (!isStopped) searching = searching.then(search);
    },
    stop: () => {
      isStopped = true;
      return searching;
    },
  };
}

async function continueKnown({ store, dispatcher }: Deps): Promise<void> {
  const waiting = await everyPage(
    (page) => store.listTasks({ ...page, status: "need_input", waits_for: "teaching" }),
    ({ task_id }) => task_id,
  );
  for (const tasks of Map.groupBy(waiting, keyOf).values()) {
    const [one] = tasks;
    const known = one === undefined ? null : await activeSop(store, one);
    if (known === null || "reason_code" in known) continue;
    for (const task of tasks) {
      const { ok } = await store.commit({ thread_id: task.task_id, after: "last", ...withdrawTeaching(task) });
      // Otherwise it was just taught, or cancelled.
      if (ok) dispatcher.dispatch(task, { kind: "recover" });
    }
  }
}

const keyOf = ({ intent, target_signature }: Task): string => `${intent}|${target_signature}`;
