// Puts a page of the list of tasks in its place among the rows that are known. The order of the server is that of acceptance, newest
// first, and never changes; what a page does not have any more between its ends is not in the list any more.
import type { TaskSummary } from "../../../api/operations/shapes/task-view.ts";

export type Rows = { readonly tasks: readonly TaskSummary[]; readonly next_after: string | null };

/** `after` is the task that the page follows; null for the first page. */
export function mergePage(known: Rows, page: Rows, after: string | null): Rows {
  const found = known.tasks.findIndex(({ task_id }) => task_id === after);
  const before = after === null ? [] : known.tasks.slice(0, found + 1);
  if (after !== null && found === -1) return known;
  // The last page has everything that follows.
  if (page.next_after === null) return { tasks: [...before, ...page.tasks], next_after: null };
  const last = page.tasks.at(-1)?.task_id;
  const end = known.tasks.findIndex(({ task_id }) => task_id === last);
  // Where the page reaches past the rows that are known, there may be a gap after it.
  if (end === -1) return { tasks: [...before, ...page.tasks], next_after: page.next_after };
  const rest = known.tasks.slice(end + 1);
  return {
    tasks: [...before, ...page.tasks, ...rest],
    next_after: rest.length === 0 ? page.next_after : known.next_after,
  };
}
