// resolve_step: the supervisor's word on a step whose outcome is not recorded.
import { answerTask } from "./answer-task.ts";
import type { OperationHandler } from "./operation.ts";
import type { resolveStep } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

export const handleResolveStep: OperationHandler<typeof resolveStep> =
  (deps) =>
  async ({ task_id, resolution, index, reason = null, wait_seconds }, { signal }) => {
    const task = await taskOf(deps, task_id);
    await answerTask(deps, task, { kind: "resolution", index, resolution, reason });
    return viewOf(deps, (await settled(deps, task_id, { wait_seconds, signal })) ?? task);
  };
