// resolve_step: the supervisor's word on a step whose outcome nobody recorded.
import { OrchError } from "../domain/errors.ts";
import type { Task } from "../domain/task.ts";
import type { Handler } from "./operation.ts";
import type { resolveStep } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

export const handleResolveStep: Handler<typeof resolveStep> =
  (deps) =>
  async ({ task_id, resolution, index, reason = null, wait_seconds }, { signal }) => {
    const task = await taskOf(deps, task_id);
    const { waiting } = task;
    if (waiting?.kind !== "resolution" || (index ?? waiting.index) !== waiting.index) return notWaiting(task);
    const { interrupt_id, attempt } = waiting;
    const body = { index: waiting.index, attempt, resolution, reason };
    const expect = { status: ["need_input"], interrupt_id } as const;
    const set = { status: "running", waiting: null, outcome: null } as const;
    const result = await deps.store.commit({
      thread_id: task_id,
      after: "last",
      events: [{ kind: "step_resolved", body }],
      changes: [{ on: "task", task_id, expect, set }],
    });
    if (!result.ok) return notWaiting(await taskOf(deps, task_id));
    deps.dispatcher.take(task, { as: "answered", interrupt_id });
    return viewOf(deps, (await settled(deps, task_id, { wait_seconds, signal })) ?? task);
  };

function notWaiting({ task_id, status, waiting }: Task): never {
  const current = { task_id, status, waiting };
  throw new OrchError("task_not_waiting", `Task ${task_id} does not ask about that step.`, { current });
}
