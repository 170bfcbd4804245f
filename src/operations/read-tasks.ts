// get_task and list_tasks.
import { z } from "zod";
import { TaskId } from "../domain/contract.ts";
import { TASK_STATUSES } from "../domain/outcome.ts";
import { Limit, operation, READ } from "./operation.ts";
import { summaryOf, TaskSummary, TaskView, taskOf, viewOf } from "./task-view.ts";
import { settled, WaitSeconds } from "./wait.ts";

export const getTask = operation({
  name: "get_task",
  summary: "Status, outcome, steps, what the task waits for and what to do next.",
  method: "GET",
  path: "/v1/tasks/{task_id}",
  scope: "read",
  hints: READ,
  input: z.strictObject({ task_id: TaskId, wait_seconds: WaitSeconds }),
  output: TaskView,
  handle:
    (deps) =>
    async ({ task_id, wait_seconds }, { signal }) =>
      viewOf(deps, (await settled(deps, task_id, { wait_seconds, signal })) ?? (await taskOf(deps, task_id))),
});

export const listTasks = operation({
  name: "list_tasks",
  summary: "Tasks, newest first.",
  method: "GET",
  path: "/v1/tasks",
  scope: "read",
  hints: READ,
  input: z.strictObject({ status: z.enum(TASK_STATUSES).optional(), limit: Limit, after: TaskId.optional() }),
  output: z.strictObject({ tasks: z.array(TaskSummary), next_after: z.string().nullable() }),
  handle: (deps) => async (query) => {
    const tasks = await deps.store.listTasks(query);
    const more = tasks.length === query.limit;
    return {
      tasks: tasks.map((task) => summaryOf(deps, task)),
      next_after: more ? (tasks.at(-1)?.task_id ?? null) : null,
    };
  },
});
