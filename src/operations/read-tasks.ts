// get_task and list_tasks.
import type { OperationHandler } from "./operation.ts";
import type { getTask, listTasks } from "./shapes/tasks.ts";
import { summaryOf, taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

export const handleGetTask: OperationHandler<typeof getTask> =
  (deps) =>
  async ({ task_id, wait_seconds }, { signal }) =>
    viewOf(deps, (await settled(deps, task_id, { wait_seconds, signal })) ?? (await taskOf(deps, task_id)));

export const handleListTasks: OperationHandler<typeof listTasks> = (deps) => async (query) => {
  const tasks = await deps.store.listTasks(query);
  const more = tasks.length === query.limit;
  return {
    tasks: tasks.map((task) => summaryOf(deps, task)),
    next_after: more ? (tasks.at(-1)?.task_id ?? null) : null,
  };
};
