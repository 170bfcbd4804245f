// Answers a task that waits for the supervisor, and resumes it. resolve_step is the supervisor's word on a step whose
// outcome is not recorded.
import type { Task } from "../../domain/task.ts";
import { answer, answerConflict, type SupervisorAnswer, wasGiven } from "../../engine/tasks/answer-pause.ts";
import { projection } from "../../engine/tasks/projection.ts";
import { isRefusal, refusalError } from "../../engine/tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import { type OperationHandler, withName } from "./operation.ts";
import type { resolveStep } from "./shapes/tasks.ts";
import { taskOf, viewAfterWait } from "./task-view.ts";

export async function answerTask(
  deps: Pick<OperationDeps, "store" | "dispatcher" | "locks">,
  task: Task,
  given: SupervisorAnswer,
): Promise<void> {
  const { task_id } = task;
  const answered = answer(task, given);
  if (isRefusal(answered)) return acceptRepeated(deps, task, given);
  const { interrupt_id, ...commit } = answered;
  const result = await deps.store.commit({ thread_id: task_id, after: "last", ...commit });
  if (!result.ok) {
    return acceptRepeated(deps, await taskOf(deps, task_id), given);
  }
  deps.dispatcher.dispatch(task, { kind: "resume", interrupt_id });
}

/**
 * A task that does not wait any more may have been given this very answer by a call whose response was lost: nothing may have
 * resumed it. Any other answer is refused.
 */
async function acceptRepeated(
  { store, dispatcher }: Pick<OperationDeps, "store" | "dispatcher">,
  task: Task,
  given: SupervisorAnswer,
): Promise<void> {
  await dispatcher.reclaim(task);
  if (wasGiven(projection(await store.readJournal(task.task_id)), given)) return;
  throw refusalError(answerConflict(task, given.kind));
}

export const handleResolveStep: OperationHandler<typeof resolveStep> =
  (deps) =>
  async ({ task_id, resolution, index, attempt, reason: given = null, wait_seconds }, caller) => {
    const { signal } = caller;
    const reason = withName(given, caller);
    const task = await taskOf(deps, task_id);
    await answerTask(deps, task, { kind: "resolution", index, attempt, resolution, reason });
    return viewAfterWait(deps, task_id, { wait_seconds, signal });
  };
