// Why a task is where it is, in one sentence.
import { heldText } from "../../parts/held-text.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

type Task = OperationAnswer<"get_task">;

export function reasonOf(task: Task): string {
  const { outcome, status, steps, queued_behind, queued_for, held_by_freeze, waits_for, progress } = task;
  if (outcome !== null) return outcome.message;
  if (held_by_freeze !== null) return `It is ${heldText(held_by_freeze)}. It starts by itself once that is over.`;
  if (queued_for !== null) return `It waits for a server with ${queued_for.join(", ")}; no live server has that.`;
  if (queued_behind !== null) return `It waits until task ${queued_behind} has ended, which has its target.`;
  if (waits_for !== null) return waits_for.message;
  if (progress !== null) return `${progress.text} (${progress.done} of ${progress.total})`;
  if (status === "accepted") return "It is stored, and waits for a free place.";
  const at = steps.find((step) => step.status === "running");
  if (at !== undefined) return `Step ${at.index} of ${steps.length} runs.`;
  return "It runs.";
}
