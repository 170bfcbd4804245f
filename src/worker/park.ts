// A task in which a server has crashed twice without progress between, or five times, may be what ends the server, so it is
// parked: nothing of it runs until the supervisor lets it go on (D-258). The same rule for procedures, skills and agents.
import { outcome } from "../domain/outcome.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Thread } from "../tasks/thread.ts";
import { pause } from "../tasks/transitions.ts";
import { askedByWorker } from "./give-up.ts";

const MOST_CRASHES = 2;
/** With progress between them. */
const MOST_IN_ALL = 5;

/** One that is to be cancelled is cancelled instead. */
export const isToPark = ({ crashes, all_crashes, is_cancel_requested }: Projection): boolean =>
  (crashes >= MOST_CRASHES || all_crashes >= MOST_IN_ALL) && !is_cancel_requested;

export async function park({ journal }: Thread, task_id: string): Promise<void> {
  const { procedure } = journal.projection;
  const { text, step_index } = placeOf(journal.projection);
  const message = `The server ended again and again without being stopped while it worked on this task, the last time ${text}. The task may be the cause, so nothing of it runs until the supervisor lets it go on.`;
  const { events, changes } = pause({
    task_id,
    procedure,
    outcome: outcome("need_input", "parked", message, { thread_id: task_id, step_index }),
    waiting: { kind: "parked", interrupt_id: askedByWorker(journal.events.length) },
  });
  await journal.commit(events, changes);
}

type Place = { readonly text: string; readonly step_index: number | null };

function placeOf({ procedure, steps, skill, agent }: Projection): Place {
  const of_skill = skill.steps.find(({ state }) => state === "cut_off");
  if (of_skill !== undefined) return inStep(of_skill.index);
  const begun = [...steps.records.values()].find(({ state }) => state === "started");
  if (begun !== undefined) return inStep(begun.index);
  if (agent.equipped !== null) return { text: `in turn ${agent.turns.length + 1} of its agent`, step_index: null };
  // The start of a step that changes nothing is recorded with its end.
  if (skill.steps.length > 0) return { text: `after step ${skill.steps.length - 1} of its skill`, step_index: null };
  if (procedure !== null) return { text: `at step ${steps.passed}`, step_index: steps.passed };
  return { text: "at its beginning", step_index: null };
}

const inStep = (step_index: number): Place => ({ text: `in step ${step_index}`, step_index });
