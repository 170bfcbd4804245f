// Gives up a task that orch itself could not continue: it ends failed, unless one of its steps may have had an effect. Then
// the supervisor is asked about that step, and the task keeps its target (D-223). A journal that cannot be read does not say
// which: the task keeps its target, and nothing of it is written or run.

import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../../domain/change.ts";
import { isQuarantined, isUnreadable } from "../../domain/errors.ts";
import type { EventKind, JournalEvent } from "../../domain/journal.ts";
import { outcome } from "../../domain/outcome.ts";
import type { Clock, Store } from "../../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { hasStarted, type StepInFlight, stepInFlight, type WhyParked } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { restored } from "../tasks/sop-versions.ts";
import type { Thread } from "../tasks/thread.ts";
import { end, pause } from "../tasks/transitions.ts";
import { isFenced } from "./threads.ts";

type Deps = { readonly store: Store; readonly clock: Clock };

export type GivenUp = { readonly is: "failed" | "asked" } | { readonly is: "quarantined"; readonly error: unknown };

/** Null when that could not be written either. */
export async function giveUp({ store, clock }: Deps, task_id: string, fault: string): Promise<GivenUp | null> {
  try {
    const journal = await store.readJournal(task_id);
    const state = projection(journal);
    const step = stepInFlight(state);
    const { procedure } = state;
    const after = journal.at(-1) ?? null;
    const failed = outcome("failed", "internal_error", saying(fault), { thread_id: task_id });
    const at = clock().toISOString();
    const transition =
      step === null
        ? end({
            task_id,
            outcome: failed,
            at,
            procedure,
            withdrawn: withdrawn(state),
            restored: await restored(store, state),
          })
        : pause({ task_id, procedure, keeps_target: true, ...question(task_id, step, { fault, seq: journal.length }) });
    const { ok } = await store.commit({ thread_id: task_id, after, ...transition });
    if (!ok) return null;
    return { is: step === null ? "failed" : "asked" };
  } catch (error) {
    return isQuarantined(error) ? { is: "quarantined", error } : null;
  }
}

const saying = (fault: string): string => `orch could not carry the task on: ${fault}.`;

const NO_GRAPH = "journal/";

/** The id of a question that the worker asks after this event of the journal. */
export const askedByWorker = (seq: number): string => `${NO_GRAPH}${seq}`;

/** The question is not one of the graph, so no checkpoint has it: the answered task is replayed from its journal. */
export const isAskedByWorker = (interrupt_id: string): boolean => interrupt_id.startsWith(NO_GRAPH);

type Cause = { readonly fault: string; readonly seq: number };

function question(thread_id: string, { index, attempt }: StepInFlight, { fault, seq }: Cause) {
  const message = `${saying(fault)} Step ${index} was started and its end is not recorded. It may or may not have taken effect.`;
  return {
    outcome: outcome("need_input", "step_outcome_unknown", message, { thread_id, step_index: index }),
    waiting: { kind: "resolution", interrupt_id: askedByWorker(seq), index, attempt } as const,
  };
}

// Parks a task in which a server has crashed twice without progress between, or five times: it may be what ends the server,
// so nothing of it runs until the supervisor lets it go on (D-258). The same rule for procedures, skills and agents. So is
// one that has begun, and whose skill cannot be used any more (D-271).

export async function park({ journal }: Thread, task_id: string, why: WhyParked): Promise<void> {
  const { procedure } = journal.projection;
  const { message, step_index, next } = why;
  const { events, changes } = pause({
    task_id,
    procedure,
    keeps_target: hasStarted(journal.projection),
    outcome: outcome("need_input", "parked", message, { thread_id: task_id, step_index, next }),
    waiting: { kind: "parked", interrupt_id: askedByWorker(journal.events.length) },
  });
  await journal.commit(events, changes);
}

// Settles a thread of which the database has lost the last events that this server knows, as a fail-over to a copy that
// lags does (D-230). Nothing is run again by itself: what this server knows of the steps is written again, and the task
// asks about the one that may have had an effect, or ends.

type LostTailDeps = {
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
export async function settleLostTail(
  deps: LostTailDeps,
  task_id: string,
  known: readonly JournalEvent[],
): Promise<void> {
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

async function settle({ store, clock }: LostTailDeps, task_id: string, known: readonly JournalEvent[]): Promise<void> {
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
  // The events are lost, and the approvals and questions that they opened may still be stored.
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
