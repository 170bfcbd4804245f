// --wait: asks for a task, again and again, until it has ended, needs an answer, or the time is over.
import { hasEnded, isPaused } from "../domain/outcome.ts";
import type { TaskView } from "../operations/shapes/task-view.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import { type Context, fail } from "./context.ts";
import { type ExitCode, taskExit } from "./exit-codes.ts";
import { type Result, success } from "./failure.ts";
import { createPatientCall } from "./patient-call.ts";
import { taskLines } from "./show-task.ts";

/** The server waits at most so long in one call. */
const ONE_WAIT_SECONDS = 50;

/** Shows the task, after `seconds` of waiting at most; the exit code tells how it stands. */
export async function showTask(context: Context, view: TaskView, seconds: number | undefined): Promise<ExitCode> {
  const found = seconds === undefined ? success(view) : await waited(context, view, seconds);
  if (!found.ok) return fail(context, found.failure);
  context.out.answer(found.value, () => taskLines(found.value, context.out));
  return taskExit(found.value.status, seconds !== undefined);
}

async function waited(context: Context, view: TaskView, seconds: number): Promise<Result<TaskView>> {
  const call = createPatientCall(context, { has_answered: true });
  const deadline = context.clock().getTime() + seconds * 1000;
  for (let seen = view; ; ) {
    const left = (deadline - context.clock().getTime()) / 1000;
    if (hasEnded(seen.status) || isPaused(seen.status) || left <= 0) return success(seen);
    const wait_seconds = Math.ceil(Math.min(left, ONE_WAIT_SECONDS));
    const next = await call(getTask, { task_id: view.task_id, wait_seconds });
    if (!next.ok) return next;
    seen = next.value;
  }
}
