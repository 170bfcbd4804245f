// Gives up a task that orch itself could not continue: it ends failed, unless one of its steps may have had an effect. Then
// the supervisor is asked about that step, and the task keeps its target (D-223). A journal that cannot be read does not say
// which: the task keeps its target, and nothing of it is written or run.

import { isQuarantined } from "../../domain/errors.ts";
import { outcome } from "../../domain/outcome.ts";
import type { Clock, Store } from "../../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { hasStarted, type StepInFlight, stepInFlight, type WhyParked } from "../tasks/progress.ts";
import { projection } from "../tasks/projection.ts";
import { restored } from "../tasks/sop-versions.ts";
import type { Thread } from "../tasks/thread.ts";
import { end, pause } from "../tasks/transitions.ts";

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

export function question(thread_id: string, { index, attempt }: StepInFlight, { fault, seq }: Cause) {
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
