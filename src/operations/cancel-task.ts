// cancel_task: a running task's process group is killed, a waiting one simply ends; the evidence is kept. A replacement
// that is cancelled gives the previous SOP back.
import { OrchError } from "../domain/errors.ts";
import { eventsOf, lastOf, type NewEvent } from "../domain/journal.ts";
import { lastJobOf, openJobOf } from "../domain/last-job.ts";
import { hasEnded, outcome } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { Change, Commit } from "../ports.ts";
import { replacementOf, restoration } from "../tasks/sop-versions.ts";
import type { OperationDeps } from "./deps.ts";
import type { Handler } from "./operation.ts";
import type { cancelTask } from "./shapes/tasks.ts";
import { taskOf, viewOf } from "./task-view.ts";
import { settled } from "./wait.ts";

// A command has five seconds between SIGTERM and SIGKILL.
const STOPPING_SECONDS = 10;

export const handleCancelTask: Handler<typeof cancelTask> =
  (deps) =>
  async ({ task_id, reason = null }, { signal }) => {
    let asked = false;
    for (;;) {
      // Read before the task is: if anyone takes it up from here on, it is not ended behind their back.
      const tail = (await deps.store.readJournal(task_id)).at(-1) ?? null;
      const task = await taskOf(deps, task_id);
      if (task.status === "cancelled") return viewOf(deps, task);
      if (hasEnded(task.status)) return refuse(task);
      if (deps.threads.isOpen(task_id)) {
        if (!asked) await ask(deps, task_id, reason);
        asked = true;
        deps.threads.cancel(task_id);
        await settled(deps, task_id, { wait_seconds: STOPPING_SECONDS, signal });
      } else if (await isHandedOver(deps, task_id)) {
        // Whoever takes the task up next sees the job to its end.
        if (!asked) await ask(deps, task_id, reason);
        await askEngine(deps, task);
        return viewOf(deps, (await settled(deps, task_id, { wait_seconds: STOPPING_SECONDS, signal })) ?? task);
      } else {
        await end(deps, task, tail, reason);
      }
      if (signal.aborted) return viewOf(deps, task);
    }
  };

function refuse({ task_id, status, outcome: ended }: Task): never {
  const current = { task_id, status, outcome: ended };
  throw new OrchError("task_ended", `Task ${task_id} has ended already.`, { current });
}

const ask = ({ store }: OperationDeps, thread_id: string, reason: string | null) =>
  store.commit({ thread_id, after: "last", events: [{ kind: "cancel_requested", body: { reason } }] });

/** Ends a task that nobody works on. A conflict means that it has just moved; the caller looks again. */
async function end(deps: OperationDeps, task: Task, tail: Commit["after"], reason: string | null): Promise<void> {
  const { task_id, status, waiting } = task;
  const why = [reason, await askEngine(deps, task)].filter((word) => word !== null).join("; ");
  const ended = outcome("cancelled", "cancelled", `The supervisor cancelled the task${why === "" ? "" : `: ${why}`}.`);
  const given = await givenBack(deps, task_id);
  const at = deps.clock().toISOString();
  const left = { waiting: null, owner: null, lease_expires_at: null, ended_at: at };
  const set = { status: "cancelled", outcome: ended, ...left } as const;
  const expect = waiting === null ? { status: [status] } : { status: [status], interrupt_id: waiting.interrupt_id };
  const result = await deps.store.commit({
    thread_id: task_id,
    after: tail,
    events: [{ kind: "cancel_requested", body: { reason } }, ...given.events, { kind: "reported", body: ended }],
    changes: [{ on: "task", task_id, expect, set }, ...given.changes],
  });
  if (result.ok) await deps.dispatcher.forget(task);
}

const isHandedOver = async ({ store }: OperationDeps, task_id: string): Promise<boolean> =>
  lastJobOf(await store.readJournal(task_id))?.state === "handed_over";

/** A job of which nobody knows how it ended may run still: the engine is asked to end it. What is to be said of it. */
async function askEngine(
  { store, backendOf }: OperationDeps,
  { task_id, contract, backend }: Task,
): Promise<string | null> {
  const open = openJobOf(await store.readJournal(task_id));
  if (open === undefined) return null;
  const { job } = open;
  const cancelJob = backendOf({ ...contract, execution_backend: backend })?.cancelJob;
  const refusal = cancelJob === undefined ? "there is no flow engine any more" : await cancelJob(job);
  return refusal === null ? `job ${job.job_id} was asked to end` : `job ${job.job_id} may still run (${refusal})`;
}

/** The journal tells what is open, also where the task has just been answered or cut off and waits for nothing. */
async function givenBack(
  { store }: OperationDeps,
  task_id: string,
): Promise<{ events: NewEvent[]; changes: Change[] }> {
  const journal = await store.readJournal(task_id);
  const asked = lastOf(journal, "approval_requested");
  if (asked === undefined) return { events: [], changes: [] };
  const { approval_id, kind } = asked;
  const isOpen = !eventsOf(journal, "approval_decided").some((decided) => decided.approval_id === approval_id);
  const withdrawn: Change[] = isOpen ? [{ on: "approval", approval_id, set: { status: "superseded" } }] : [];
  if (kind !== "replacement") return { events: [], changes: withdrawn };
  const { candidate, previous } = await replacementOf(store, journal);
  if (candidate.status !== "candidate") return { events: [], changes: withdrawn };
  const { events, changes } = await restoration(store, candidate, previous);
  return { events, changes: [...withdrawn, ...changes] };
}
