// What waits to start, and why: another task has its target, a freeze holds it, no server has its labels, or all are busy.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { InlineCode } from "../../parts/code.tsx";
import { heldText } from "../../parts/held-text.ts";
import { count } from "../../parts/text.ts";
import { Time } from "../../parts/time.tsx";
import { ROW } from "../../parts/use-list-keys.ts";
import type { OperationAnswer } from "../../typed-operations.ts";

type WaitingTask = OperationAnswer<"list_tasks">["tasks"][number];
type Cluster = OperationAnswer<"list_servers">;

/** Above this, times of one server are shown before those of another. */
const MOST_SKEW_SECONDS = 2;

type Props = { readonly tasks: readonly WaitingTask[]; readonly more: boolean; readonly cluster: Cluster };

export function Queue({ tasks, more, cluster }: Props) {
  return (
    <section className="stack" aria-labelledby="queue">
      <h2 id="queue">Waiting to start</h2>
      <div className="card">
        {tasks.length === 0 && <p className="card-body muted">No task waits to start.</p>}
        {tasks.length > 0 && (
          <ul className="plain-list" aria-label="Tasks that wait to start">
            {tasks.map((task) => (
              <li key={task.task_id} className="queued" {...ROW}>
                <Link to="/tasks/$task_id" params={{ task_id: task.task_id }}>
                  <InlineCode text={task.task_id} />
                </Link>
                <span className="queued-why">{reasonOf(task, cluster)}</span>
                <span className="muted small">
                  <Time at={task.created_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="queue-foot muted small number">
          {more && "More wait than are shown. "}
          {queueText(cluster)}
        </p>
      </div>
    </section>
  );
}

/** In the order in which they have to end before the task starts. */
function reasonOf({ held_by_freeze, queued_for, queued_behind }: WaitingTask, { servers }: Cluster): ReactNode {
  if (held_by_freeze !== null) return heldText(held_by_freeze);
  if (queued_for !== null)
    return `no live server has ${queued_for.length === 1 ? "the label" : "the labels"} ${queued_for.join(", ")}`;
  if (queued_behind !== null)
    return (
      <>
        its target is held by{" "}
        <Link to="/tasks/$task_id" params={{ task_id: queued_behind }}>
          <InlineCode text={queued_behind} />
        </Link>
      </>
    );
  const live = servers.filter(({ state }) => state === "alive");
  if (live.length === 0) return "no live server claims tasks";
  const full = live.every(({ running, concurrency }) => concurrency !== null && running >= concurrency);
  return full ? "every server runs as many tasks as it takes at once" : "it starts in a moment";
}

function queueText({ queue, clock_skew_seconds }: Cluster): string {
  const skew = Math.abs(clock_skew_seconds);
  const clock =
    skew <= MOST_SKEW_SECONDS
      ? ""
      : ` The clock of the server that answers is ${skew} s ${clock_skew_seconds > 0 ? "ahead of" : "after"} the database's: set it.`;
  if (queue === null) return `The length of the queue is not known.${clock}`;
  const { ready, later, running } = queue;
  return `${count(ready, "wakeup")} ready, ${later} for later, ${running} being worked on.${clock}`;
}
