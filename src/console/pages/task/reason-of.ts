// Why a task is where it is, in one sentence.
import type { OperationAnswer } from "../../typed-operations.ts";

type Task = OperationAnswer<"get_task">;

export function reasonOf(task: Task): string {
  const { outcome, status, steps, waiting_text, waits_for, progress } = task;
  if (outcome !== null) return outcome.message;
  if (waiting_text !== null) return waiting_text;
  if (waits_for !== null) return waits_for.message;
  if (progress !== null) return `${progress.text} (${progress.done} of ${progress.total})`;
  if (status === "accepted") return "It is accepted.";
  const at = steps.find((step) => step.status === "running");
  if (at !== undefined) return `Step ${at.index} of ${steps.length} runs.`;
  return "It runs.";
}
