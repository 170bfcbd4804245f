// --wait: polls a task until it has ended, needs an answer, or the time is over.
import { hasEnded, isPaused } from "../domain/outcome.ts";
import type { TaskView } from "../operations/shapes/task-view.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import type { CommandContext } from "./context.ts";
import { type ExitCode, taskExit } from "./exit-codes.ts";
import { createPatientCall } from "./patient-call.ts";
import { taskLines } from "./show-task.ts";
import { createWaitLine } from "./wait-line.ts";

/** Waits for `seconds` at most, shows the task, and returns the exit code of its status. */
export async function showTask(
  context: CommandContext,
  view: TaskView,
  seconds: number | undefined,
): Promise<ExitCode> {
  const result = seconds === undefined ? view : await waited(context, view, seconds);
  context.out.answer(result, () => taskLines(result, context.out));
  return taskExit(result.status, seconds !== undefined);
}

async function waited(context: CommandContext, view: TaskView, seconds: number): Promise<TaskView> {
  const call = createPatientCall(context, { has_answered: true });
  const deadline = performance.now() + seconds * 1000;
  const line = createWaitLine(context, view.task_id);
  try {
    for (let seen = view; ; ) {
      const left = (deadline - performance.now()) / 1000;
      if (hasEnded(seen.status) || isPaused(seen.status) || left <= 0) return seen;
      line.show(seen);
      const wait_seconds = Math.ceil(Math.min(left, line.look_seconds));
      const next = await call(getTask, { task_id: view.task_id, wait_seconds });
      seen = next;
    }
  } finally {
    line.clear();
  }
}
