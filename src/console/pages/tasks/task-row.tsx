// A task in the list: its status, what it is about, why it is there, and since when.
import { Link } from "@tanstack/react-router";
import { printable } from "../../../domain/printable.ts";
import type { TaskSummary } from "../../../operations/shapes/task-view.ts";
import { InlineCode } from "../../parts/code.tsx";
import { heldText } from "../../parts/held-text.ts";
import { TaskStatusMark } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";

export const TaskRow = ({ task }: { readonly task: TaskSummary }) => (
  <Link to="/tasks/$task_id" params={{ task_id: task.task_id }} className="list-row task-row">
    <TaskStatusMark status={task.status} />
    <span className="task-about">
      <strong>{task.intent}</strong> <InlineCode text={targetText(task.target)} />
    </span>
    <span className="task-id muted">
      <InlineCode text={task.task_id} />
    </span>
    <span className="task-line muted">{printable(lineOf(task))}</span>
    <span className="muted small task-time">
      <Time at={task.created_at} />
    </span>
  </Link>
);

/** The directory of its commands says least of what a task is about. */
const targetText = (target: TaskSummary["target"]): string =>
  Object.entries(target)
    .sort(([a], [b]) => Number(a === "compose_dir") - Number(b === "compose_dir") || a.localeCompare(b))
    .map(([name, value]) => `${name}=${value}`)
    .join(";");

function lineOf({ outcome, queued_behind, queued_for, held_by_freeze }: TaskSummary): string {
  if (outcome !== null) return outcome.message;
  if (held_by_freeze !== null) return heldText(held_by_freeze);
  if (queued_behind !== null) return `waits for ${queued_behind}`;
  return queued_for === null ? "" : `waits for a server with ${queued_for.join(", ")}`;
}
