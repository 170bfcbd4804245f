// The operations that read tasks: get_task and list_tasks; read_journal, the events of a task and on request the next one,
// which `orch task --follow` uses.
import { hasEnded } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { OperationDeps } from "./deps.ts";
import { AHEAD, invalidInput, leftOut, type OperationHandler } from "./operation.ts";
import type { readJournal } from "./shapes/journal.ts";
import type { getTask, listTasks } from "./shapes/tasks.ts";
import { summaryOf, taskOf, viewAfterWait } from "./task-view.ts";
import { lookUntil } from "./wait.ts";
import { heldByOf, waitsForLabels, waitsForLevel } from "./waiting.ts";

export const handleGetTask: OperationHandler<typeof getTask> =
  (deps) =>
  ({ task_id, wait_seconds }, { signal }) =>
    viewAfterWait(deps, task_id, { wait_seconds, signal });

export const handleListTasks: OperationHandler<typeof listTasks> =
  (deps) =>
  async ({ since, ...query }) => {
    // Times are stored in UTC, and compared as text.
    const from = since === undefined ? undefined : new Date(since).toISOString();
    const tasks = await deps.store.listTasks({ ...query, since: from });
    const more = tasks.length === query.limit;
    const [queuedFor, levelFor] = [waitsForLabels(deps), waitsForLevel(deps)];
    return {
      tasks: await Promise.all(tasks.map((task) => summarised(deps, task, { queuedFor, levelFor }))),
      next_after: more ? (tasks.at(-1)?.task_id ?? null) : null,
      quarantined: leftOut(deps, "task"),
    };
  };

/** What a task waits for is asked for many tasks with the same look at the servers. */
export async function summarised(
  deps: OperationDeps,
  task: Task,
  { queuedFor, levelFor } = { queuedFor: waitsForLabels(deps), levelFor: waitsForLevel(deps) },
) {
  const held_by_freeze = await heldByOf(deps, task);
  return summaryOf(deps, task, {
    queued_for: await queuedFor(task),
    held_by_freeze,
    needs_level: await levelFor(task),
  });
}

export const handleReadJournal: OperationHandler<typeof readJournal> =
  (deps) =>
  async ({ task_id, after, limit, wait_seconds }, { signal }) => {
    // The task is read first: if it has ended, the events read after it are complete.
    const look = async () => {
      const { status } = await taskOf(deps, task_id);
      return { status, events: await deps.store.readJournal(task_id, { after, limit }) };
    };
    const isAhead = after > 0 && (await deps.store.readJournal(task_id, { after: after - 1, limit: 1 })).length === 0;
    if (isAhead) await taskOf(deps, task_id);
    if (isAhead) throw invalidInput({ name: "read_journal" }, [{ path: "after", message: AHEAD }]);
    const next = (ms: number, until: AbortSignal) => deps.nextEvent(task_id, ms, until);
    const isEnough = ({ status, events }: Awaited<ReturnType<typeof look>>) => events.length > 0 || hasEnded(status);
    const { status, events } = await lookUntil({ next, look, isEnough }, { wait_seconds, signal });
    return { events, next_after: events.at(-1)?.seq ?? after, status };
  };
