// Answers cancel_task: a running task's process group is killed, a waiting one simply ends, and one that cannot be read is
// ended too; the evidence is kept. A replacement that is cancelled gives the previous SOP back.
import type { Change } from "../../domain/change.ts";
import { isQuarantined, wordsOf } from "../../domain/errors.ts";
import type { JournalEvent } from "../../domain/journal.ts";
import { nextAfterPossibleEffects } from "../../domain/next-action.ts";
import { hasEnded } from "../../domain/outcome.ts";
import type { Task } from "../../domain/task.ts";
import { withdrawn } from "../../engine/tasks/approval-record.ts";
import { stepInFlight, stopOpenJob } from "../../engine/tasks/progress.ts";
import { initial, type Projection, projection } from "../../engine/tasks/projection.ts";
import { restored } from "../../engine/tasks/sop-versions.ts";
import {
  accept,
  cancel,
  cancelConflict,
  cancelQuarantined,
  isRefusal,
  refusalError,
  requestCancel,
} from "../../engine/tasks/transitions.ts";
import type { EngineDeps } from "./deps.ts";
import { type HandleOf, settled, withName } from "./operation.ts";
import type { TaskView } from "./shapes/task-view.ts";
import type { cancelTask } from "./shapes/tasks.ts";
import { taskOf, viewFrom, viewOf } from "./task-view.ts";

// A command has five seconds between SIGTERM and SIGKILL.
const STOPPING_SECONDS = 10;

export const handleCancelTask =
  (deps: EngineDeps): HandleOf<typeof cancelTask> =>
  async ({ task_id, reason: given = null }, caller) => {
    const { signal } = caller;
    const reason = withName(given, caller);
    let asked = false;
    for (;;) {
      const found = await read(deps, task_id).catch((error: unknown) => ({ error }));
      if ("error" in found) return endQuarantined(deps, { task_id, reason, error: found.error });
      const { task, journal } = found;
      const state = projection(journal);
      const refusal = cancelConflict(task);
      if (refusal !== null) throw refusalError(refusal);
      if (task.status === "cancelled" || asksAboutCancelled(task, state)) return viewOf(deps, task);
      // Only its server may end it, while it lives.
      if (deps.threads.isOpen(task_id) || (await isElsewhere(deps, task))) {
        if (!asked) await ask(deps, task_id, reason);
        asked = true;
        deps.threads.cancel(task_id);
        await settled(deps, task_id, { wait_seconds: STOPPING_SECONDS, signal });
      } else if (state.jobs.last?.state === "submitted") {
        // The server that claims the task next sees the job to its end.
        if (!asked) await ask(deps, task_id, reason);
        await stopJob(deps, task, state);
        return viewOf(deps, (await settled(deps, task_id, { wait_seconds: STOPPING_SECONDS, signal })) ?? task);
      } else {
        await endUnowned(deps, task, journal, reason);
      }
      if (signal.aborted) return viewOf(deps, task);
    }
  };

/** It was cancelled in a step that may have had its effect elsewhere: only an answer about that step ends it. */
const asksAboutCancelled = ({ waiting }: Task, { cancel_requested }: Projection): boolean =>
  waiting?.kind === "resolution" && cancel_requested !== null;

/** Whether another server works on it. From one that does not live any more, the task is taken over. */
async function isElsewhere({ servers }: EngineDeps, { owner, status, ...task }: Task): Promise<boolean> {
  if (status !== "running" || owner === null || owner === servers.owner) return false;
  await servers.look();
  return servers.stateOf({ ...task, owner }).lives || !(await servers.takeOver(owner));
}

async function read(deps: EngineDeps, task_id: string) {
  // Read before the task: when a server claims the task after this, the commit that would end it conflicts.
  const journal = await deps.store.readJournal(task_id);
  return { journal, task: await taskOf(deps, task_id) };
}

const ask = ({ store }: EngineDeps, thread_id: string, reason: string | null) =>
  store.commit({ thread_id, after: "last", ...requestCancel(reason) });

type Journal = readonly JournalEvent[];

/** Ends a task that no server works on. A conflict means that it has just moved; the caller looks again. */
async function endUnowned(deps: EngineDeps, task: Task, journal: Journal, reason: string | null): Promise<void> {
  const state = projection(journal);
  const job = (await stopJob(deps, task, state)) ?? leftRunning(deps, task, state) ?? notKnown(state);
  const next = stepInFlight(state) === null ? undefined : nextAfterPossibleEffects(task.task_id);
  const at = deps.clock().toISOString();
  const replacement = await restored(deps.store, state);
  const cancelled = cancel(task, {
    reason,
    job,
    next,
    at,
    withdrawn: withdrawn(state),
    restored: replacement,
  });
  if (isRefusal(cancelled)) throw refusalError(cancelled);
  const after = journal.at(-1) ?? null;
  const result = await deps.store.commit({ thread_id: task.task_id, after, ...cancelled });
  if (result.ok) await deps.dispatcher.forget(task);
}

/** What may still run of a step whose server does not answer any more. */
function leftRunning(
  { servers }: EngineDeps,
  { owner, status, lease_expires_at }: Task,
  state: Projection,
): string | null {
  const isLost = status === "running" && owner !== null && owner !== servers.owner && lease_expires_at !== null;
  const step = isLost && !servers.stateOf({ owner, lease_expires_at }).is_over ? stepInFlight(state) : null;
  return step === null ? null : `step ${step.index} may still run on the server ${owner}, which does not answer`;
}

function notKnown(state: Projection): string | null {
  const step = stepInFlight(state);
  return step === null ? null : `it is not known what step ${step.index} did`;
}

/** Asks the engine to end a job that may still run. What the outcome says of it; null without such a job. */
async function stopJob({ backendOf }: EngineDeps, task: Task, state: Projection): Promise<string | null> {
  const stop = await stopOpenJob(backendOf, { ...task.contract, execution_backend: task.backend }, state);
  if (stop === null) return null;
  const { job_id, refusal } = stop;
  return refusal === null ? `job ${job_id} was asked to end` : `job ${job_id} may still run (${refusal})`;
}

// Cancels a task whose row or journal cannot be read: the way out of the quarantine for somebody who has looked at the target
// (D-233). One of the two has to be whole: the contract is in both.

type Cancelled = { readonly task_id: string; readonly reason: string | null; readonly error: unknown };

async function endQuarantined(deps: EngineDeps, cancelled: Cancelled): Promise<TaskView> {
  const { task_id, reason, error } = cancelled;
  // A running thread has its journal in memory, and ends by itself.
  if (!isQuarantined(error) || deps.threads.isOpen(task_id)) throw error;
  const task = (await fromJournal(deps, cancelled)) ?? (await taskOf(deps, task_id));
  const refusal = cancelConflict(task);
  if (refusal !== null) throw refusalError(refusal);
  const withdrawn = await openApprovals(deps, task_id);
  const ended = cancelQuarantined(task, { reason, fault: wordsOf(error), at: deps.clock().toISOString(), withdrawn });
  const { ok } = await deps.store.commit({ thread_id: task_id, after: "last", ...ended });
  if (!ok) throw error;
  await deps.dispatcher.forget(task);
  const journal = await deps.store.readJournal(task_id).catch(() => null);
  return viewFrom(deps, await taskOf(deps, task_id), journal === null ? initial() : projection(journal));
}

/** The task as it was accepted; null where the journal cannot be read. Rejects with the fault of the row where it has ended. */
async function fromJournal({ store }: EngineDeps, { task_id, error }: Cancelled): Promise<Task | null> {
  const journal = await store.readJournal(task_id).catch(() => []);
  const { accepted, reported } = projection(journal);
  const [first] = journal;
  if (accepted === null || first === undefined) return null;
  if (reported !== null && hasEnded(reported.status)) throw error;
  const { contract, backend = "local", runs_on = null } = accepted;
  return accept({ contract, backend, runs_on, at: first.at }).task;
}

async function openApprovals({ store }: EngineDeps, thread_id: string): Promise<Change[]> {
  const pending = await store.listApprovals({ thread_id, status: "pending", limit: 100 });
  return pending.map(({ approval_id }) => ({ on: "approval", approval_id, set: { status: "superseded" } }));
}
