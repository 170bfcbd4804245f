// read_journal: what has happened to a task, event by event, and on request what happens next. `orch task --follow` reads it.
import { hasEnded } from "../domain/outcome.ts";
import type { OperationHandler } from "./operation.ts";
import type { readJournal } from "./shapes/journal.ts";
import { taskOf } from "./task-view.ts";
import { lookUntil } from "./wait.ts";

export const handleReadJournal: OperationHandler<typeof readJournal> =
  (deps) =>
  async ({ task_id, after, limit, wait_seconds }, { signal }) => {
    // The task is read first: once it has ended, the events read behind it are all there will be.
    const look = async () => {
      const { status } = await taskOf(deps, task_id);
      return { status, events: await deps.store.readJournal(task_id, { after, limit }) };
    };
    const next = (ms: number, until: AbortSignal) => deps.nextEvent(task_id, ms, until);
    const isEnough = ({ status, events }: Awaited<ReturnType<typeof look>>) => events.length > 0 || hasEnded(status);
    const { status, events } = await lookUntil(deps.clock, next, { wait_seconds, signal }, look, isEnough);
    return { events, next_after: events.at(-1)?.seq ?? after, status };
  };
