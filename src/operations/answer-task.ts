// Answers a task that waits for the supervisor, and has it go on.
import type { Task } from "../domain/task.ts";
import { answer, answerConflict, type SupervisorAnswer } from "../tasks/answer-pause.ts";
import { isRefusal, refusalError } from "../tasks/transitions.ts";
import type { OperationDeps } from "./deps.ts";
import { taskOf } from "./task-view.ts";

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
