// Parks a task in which a server has crashed twice without progress between, or five times: it may be what ends the server,
// so nothing of it runs until the supervisor lets it go on (D-258). The same rule for procedures, skills and agents. So is
// one that has begun, and whose skill cannot be used any more (D-271).
import type { TaskContract } from "../domain/contract.ts";
import { call, type NextAction } from "../domain/next-action.ts";
import { outcome } from "../domain/outcome.ts";
import { hasStarted } from "../tasks/progress.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Thread } from "../tasks/thread.ts";
import { pause } from "../tasks/transitions.ts";
import { askedByWorker } from "./give-up.ts";

const MOST_CRASHES = 2;
/** With progress between them. */
const MOST_IN_ALL = 5;

export type WhyParked = { readonly message: string; readonly step_index: number | null; readonly next?: NextAction[] };

/** Null for a task that runs. One that is to be cancelled is cancelled instead. */
export function whyParked(
  { skillFaultOf }: { readonly skillFaultOf: (intent: string) => string | null },
  { task_id, intent, delegation_mode }: TaskContract,
  projection: Projection,
): WhyParked | null {
  const { crashes, all_crashes, cancel_requested } = projection;
  if (cancel_requested !== null) return null;
  if (crashes >= MOST_CRASHES || all_crashes >= MOST_IN_ALL) return crashed(projection);
  const fault = delegation_mode === "agent" ? null : skillFaultOf(intent);
  return fault === null || !hasBegun(projection) ? null : withoutSkill(task_id, fault);
}

/** What has not begun is blocked: nothing of it is lost. */
const hasBegun = ({ skill, approvals }: Projection): boolean => skill.steps.length > 0 || approvals.last !== null;

function crashed(projection: Projection): WhyParked {
  const { text, step_index } = placeOf(projection);
  const message = `The server ended again and again without being stopped while it worked on this task, the last time ${text}. The task may be the cause, so nothing of it runs until the supervisor lets it go on.`;
  return { message, step_index };
}

function withoutSkill(task_id: string, fault: string): WhyParked {
  const message = `${fault}. The task has begun, so it waits until the skill is repaired, orch has started again, and the supervisor lets it go on.`;
  const goOn = "Have the skill repaired and orch started again; then let the task go on.";
  const next = [
    call("resolve_step", { task_id, resolution: "retry" }, goOn),
    call("get_evidence", { task_id }, "Read in the evidence how far it came."),
    call("cancel_task", { task_id }, "Cancel the task."),
  ];
  return { message, step_index: null, next };
}

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
