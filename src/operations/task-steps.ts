// Shows the steps of a task in its view: those of its procedure, those that its skill has taken, and the calls of its agent.
import type { AgentCall } from "../domain/agent-events.ts";
import { hasEnded } from "../domain/outcome.ts";
import type { StepResult } from "../domain/step.ts";
import { commandText, sentStep } from "../domain/step-run.ts";
import type { Task } from "../domain/task.ts";
import type { Projection } from "../tasks/projection.ts";
import { stepResultsOf } from "../tasks/steps-fold.ts";
import type { TaskView } from "./shapes/task-view.ts";

export const shownSteps = (task: Task, state: Projection): TaskView["steps"] => [
  ...planned(task, state),
  ...bySkill(task, state),
  ...byAgent(task, state),
];

function planned(task: Task, state: Projection): TaskView["steps"] {
  const steps = state.procedure?.steps ?? [];
  const results = new Map(stepResultsOf(state.steps, steps).map((result) => [result.index, result]));
  return steps.map((step, index) => {
    const result = results.get(index);
    return {
      index,
      kind: step.kind,
      command: commandText(sentStep(step, task.contract)),
      status: shownStatus(task, result),
      attempt: result?.attempt ?? null,
      exit_code: result?.exit_code ?? null,
      duration_ms: result?.duration_ms ?? null,
      late_result: lateOf(task, state, index),
    };
  });
}

/** For who resolves it: nothing follows from it. */
function lateOf({ status }: Task, { steps }: Projection, index: number): string | null {
  const { state, late = null } = steps.records.get(index) ?? {};
  return state === "started" && !hasEnded(status) ? (late?.message ?? null) : null;
}

/** A skill may take any number of steps; all of them are in the evidence. */
const MAX_SHOWN = 200;

const bySkill = (task: Task, { skill }: Projection): TaskView["steps"] =>
  skill.steps.slice(-MAX_SHOWN).map(({ index, name, state, attempt, duration_ms }) => {
    const status = state === "passed" || state === "failed" ? state : "outcome_unknown";
    const shown = { index, kind: "skill", command: name, attempt, exit_code: null, duration_ms, late_result: null };
    return { ...shown, status: shownStatus(task, { status }) };
  });

const byAgent = (task: Task, state: Projection): TaskView["steps"] =>
  state.agent.calls
    .filter(({ name, step }) => step !== null || name !== "finish")
    .slice(-MAX_SHOWN)
    .map(({ index, name, state: call_state, step, attempt, result }) => ({
      index,
      kind: step?.kind ?? name,
      command: step === null ? name : commandText(step),
      status: STATUS_OF[call_state] ?? shownStatus(task, result ?? undefined),
      attempt: result === null ? null : attempt,
      exit_code: result?.exit_code ?? null,
      duration_ms: result?.duration_ms ?? null,
      late_result: lateOf(task, state, index),
    }));

/** Of calls that come to no step, or to none that is made. */
const STATUS_OF: Partial<Record<AgentCall["state"], StepResult["status"]>> = {
  refused: "blocked",
  rejected: "blocked",
  faulty: "skipped",
};

// What is started and not finished is running, unless its task has stopped.
function shownStatus(
  { status, outcome }: Task,
  result: Pick<StepResult, "status"> | undefined,
): StepResult["status"] | "pending" | "running" {
  if (result === undefined) return outcome?.reason_code === "already_done" ? "skipped" : "pending";
  return result.status === "outcome_unknown" && status === "running" ? "running" : result.status;
}
