// Settles a thread of which the database has lost the last events that this server knows, as a fail-over to a copy that
// lags does (D-230). Nothing is run again by itself: what this server knows of the steps is written again, and the task
// asks about the one that may have had an effect, or ends.
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../domain/change.ts";
import { isUnreadable } from "../domain/errors.ts";
import type { EventKind, JournalEvent } from "../domain/journal.ts";
import { outcome } from "../domain/outcome.ts";
import type { Clock, Store } from "../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { stepInFlight } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { restored } from "../tasks/sop-versions.ts";
import { end, pause } from "../tasks/transitions.ts";
import { question } from "./give-up.ts";
import { isFenced } from "./thread-journal.ts";

type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: { error(details: object, message: string): void };
};

const OF_STEPS: ReadonlySet<EventKind> = new Set([
  "step_started",
  "step_finished",
  "skill_step_started",
  "skill_step_finished",
]);
const PAUSE_MS = 1_000;

/** Resolves once it is durable: a replay of what is left would run the lost steps again. */
export async function settleLostTail(deps: Deps, task_id: string, known: readonly JournalEvent[]): Promise<void> {
  for (;;) {
    try {
      return await settle(deps, task_id, known);
    } catch (error) {
      if (isFenced(error) || isUnreadable(error)) throw error;
      deps.log.error(
        { task_id, err: error },
        "what the database has lost of a task cannot be written yet; it is tried again",
      );
      await sleep(PAUSE_MS);
    }
  }
}

async function settle({ store, clock }: Deps, task_id: string, known: readonly JournalEvent[]): Promise<void> {
  const left = await store.readJournal(task_id);
  const kept = new Set(left.map(({ hash }) => hash));
  const lost = known.filter(({ hash }) => !kept.has(hash));
  const steps = lost.filter(({ kind }) => OF_STEPS.has(kind));
  const state = projection([...left, ...steps]);
  const { procedure } = state;
  const fault = faultOf(steps);
  const failed = outcome("failed", "internal_error", `${fault}.`, { thread_id: task_id });
  const at = clock().toISOString();
  const step = stepInFlight(state);
  // What it has opened may be there although its events are not.
  const opened = projection(known);
  const ended = end({
    task_id,
    outcome: failed,
    at,
    procedure,
    withdrawn: await stillPending(store, withdrawn(opened)),
    restored: await restored(store, opened),
  });
  const asked =
    step && pause({ task_id, procedure, keeps_target: true, ...question(task_id, step, { fault, seq: known.length }) });
  for (const { events, changes } of asked === null ? [ended] : [asked, ended]) {
    const result = await store.commit({ thread_id: task_id, after: "last", events: [...steps, ...events], changes });
    if (result.ok) return;
  }
}

/** Those of approvals that the database has not lost. */
async function stillPending(store: Store, changes: readonly Change[]): Promise<Change[]> {
  const found = await Promise.all(
    changes.map(async (change) => (change.on === "approval" ? store.findApproval(change.approval_id) : null)),
  );
  return changes.filter((_, at) => found[at]?.status === "pending");
}

function faultOf(steps: readonly JournalEvent[]): string {
  const indexes = steps.flatMap(({ body }) => ("index" in body ? [body.index] : []));
  const named = [...new Set(indexes)].sort((a, b) => a - b).join(", ");
  const ran = named === "" ? "no step of them may have run" : `these steps may have run: ${named}; none is run again`;
  return `the database has lost events of this task, and ${ran}`;
}
