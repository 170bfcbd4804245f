// A task in which a server has crashed twice without progress between may be what ends the server, so it is parked: nothing
// of it runs until the supervisor lets it go on (D-258). The same rule for procedures, skills and agents.
import { outcome } from "../domain/outcome.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Thread } from "../tasks/thread.ts";
import { pause } from "../tasks/transitions.ts";
import { askedByWorker } from "./give-up.ts";

const MOST_CRASHES = 2;

/** One that is to be cancelled is cancelled instead. */
export const isToPark = ({ crashes, is_cancel_requested }: Projection): boolean =>
  crashes >= MOST_CRASHES && !is_cancel_requested;

export async function park({ journal }: Thread, task_id: string): Promise<void> {
  const { procedure } = journal.projection;
  const { text, step_index } = placeOf(journal.projection);
  const message = `The server ended twice without being stopped while this task was ${text}. The task may be the cause, so nothing of it runs until the supervisor lets it go on.`;
  const { events, changes } = pause({
    task_id,
    procedure,
    outcome: outcome("need_input", "parked", message, { thread_id: task_id, step_index }),
    waiting: { kind: "parked", interrupt_id: askedByWorker(journal.events.length) },
  });
  await journal.commit(events, changes);
}

type Place = { readonly text: string; readonly step_index: number | null };

function placeOf({ steps, skill, agent }: Projection): Place {
  const of_skill = skill.steps.find(({ state }) => state === "cut_off");
  if (of_skill !== undefined) return inStep(of_skill.index);
  const begun = [...steps.records.values()].find(({ state }) => state === "started");
  if (begun !== undefined) return inStep(begun.index);
  if (agent.equipped !== null) return { text: `in turn ${agent.turns.length + 1} of its agent`, step_index: null };
  const after = steps.passed > 0 ? `after step ${steps.passed - 1}` : "at its beginning";
  return { text: after, step_index: null };
}

const inStep = (step_index: number): Place => ({ text: `in step ${step_index}`, step_index });
