// Answers a task that waits for the supervisor, and resumes it. resolve_step is the supervisor's word on a step whose outcome is
// not recorded.
import type { Task } from "../domain/task.ts";
import { answer, answerConflict, type SupervisorAnswer } from "../tasks/answer-pause.ts";
import { isRefusal, refusalError } from "../tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import type { OperationHandler } from "./operation.ts";
import type { resolveStep } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

export async function answerTask(
  deps: Pick<OperationDeps, "store" | "dispatcher" | "locks">,
  task: Task,
  given: SupervisorAnswer,
): Promise<void> {
  const { task_id } = task;
  const answered = answer(task, given);
  if (isRefusal(answered)) throw refusalError(answered);
  const { interrupt_id, ...commit } = answered;
  const result = await deps.store.commit({ thread_id: task_id, after: "last", ...commit });
  if (!result.ok) throw refusalError(answerConflict(await taskOf(deps, task_id), given.kind));
  deps.dispatcher.dispatch(task, { kind: "resume", interrupt_id });
}

export const handleResolveStep: OperationHandler<typeof resolveStep> =
  (deps) =>
  async ({ task_id, resolution, index, reason = null, wait_seconds }, { signal }) => {
    const task = await taskOf(deps, task_id);
    await answerTask(deps, task, { kind: "resolution", index, resolution, reason });
    return viewOf(deps, (await settled(deps, task_id, { wait_seconds, signal })) ?? task);
  };
