// read_journal: what has happened to a task, event by event, and on request what happens next. `orch task --follow` reads it.
import { z } from "zod";
import { TaskId } from "../domain/contract.ts";
import { EventRecord } from "../domain/journal.ts";
import { hasEnded, TASK_STATUSES } from "../domain/outcome.ts";
import { Limit, numeric, operation, READ } from "./operation.ts";
import { taskOf } from "./task-view.ts";
import { lookUntil, WaitSeconds } from "./wait.ts";

export const readJournal = operation({
  name: "read_journal",
  summary: "What has happened to a task after a sequence number, oldest first; waits for the next event on request.",
  method: "GET",
  path: "/v1/tasks/{task_id}/journal",
  scope: "read",
  hints: READ,
  input: z.strictObject({
    task_id: TaskId,
    after: numeric(z.int().min(0).default(0)).describe("the sequence number of the last event that is known"),
    limit: Limit,
    wait_seconds: WaitSeconds,
  }),
  output: z.strictObject({
    events: z.array(EventRecord),
    next_after: z.int(),
    status: z.enum(TASK_STATUSES),
  }),
  handle:
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
    },
});
