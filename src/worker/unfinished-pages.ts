// The unfinished tasks, page by page, as a server looks at them again and again.
import type { TaskColumns } from "../domain/task.ts";
import type { Store } from "../ports.ts";
import { UNFINISHED } from "./recovery.ts";

const PAGE = 1_000;

/** A page of the unfinished tasks at each call, then from the beginning again: a look costs the same for any number (D-222). */
export function createPages(store: Pick<Store, "listTaskColumns">) {
  let after: string | undefined;
  return async () => {
    const is_first = after === undefined;
    const tasks = await store.listTaskColumns({ status: UNFINISHED, limit: PAGE, after });
    after = tasks.length < PAGE ? undefined : tasks.at(-1)?.task_id;
    return { tasks, is_first };
  };
}

/**
 * A task without an owner was accepted, answered or given back a moment ago, and a server that was asked claims it: the others do not,
 * until they see it so a second time (D-333).
 */
export function createUnowned() {
  let before: ReadonlySet<string> = new Set();
  let seen = new Set<string>();
  return {
    nextLook: (): void => {
      before = seen;
      seen = new Set();
    },
    isNew: ({ task_id }: Pick<TaskColumns, "task_id">): boolean => {
      seen.add(task_id);
      return !before.has(task_id);
    },
  };
}
