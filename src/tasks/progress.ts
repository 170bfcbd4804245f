// The progress of a procedure. It makes a restart safe: a finished step never runs again, and a step with a recorded
// start but no recorded end runs again only when it changes nothing (D-013).
import type { TaskContract } from "../domain/contract.ts";
import type { Job } from "../domain/job.ts";
import type { LateResult } from "../domain/late-result.ts";
import { hasEnded } from "../domain/outcome.ts";
import { pauses } from "../domain/polling.ts";
import type { Step } from "../domain/step.ts";
import { openJobOf } from "../features/flow-engine/fold.ts";
import type { ExecutionBackend } from "../ports.ts";
import type { Projection } from "./projection.ts";

export type StepProgress =
  /**
   * `started_at` is the start of an interrupted check or wait. With `job`, the step belongs to that job of the flow
   * engine, and the backend looks for the job.
   */
  | {
      readonly is: "ready";
      readonly index: number;
      readonly attempt: number;
      readonly started_at?: string;
      readonly job?: Job | undefined;
    }
  /** The step failed. `settled` means that the supervisor decided this, so orch does not classify the failure. */
  | { readonly is: "broken"; readonly index: number; readonly attempt: number; readonly settled: boolean }
  | { readonly is: "outcome_unknown"; readonly index: number; readonly attempt: number }
  | { readonly is: "completed" };

/** Whether the step may run again after a stop: it changes nothing. Of a check that was asked about, policy knows that it does. */
function changesNothing({ findings }: Pick<Projection, "findings">, kind: string | undefined, index: number) {
  if (kind !== undefined && pauses(kind)) return true;
  const isAsked = findings.some(({ step_index, code }) => step_index === index && code === "read_only.changes_state");
  return kind === "check" && !isAsked;
}

export function progressOf(projection: Projection, plan: readonly Step[]): StepProgress {
  const { steps, jobs } = projection;
  const index = steps.passed;
  const step = plan[index];
  if (step === undefined) {
    if (jobs.failure === null) return { is: "completed" };
    return { is: "broken", index: steps.last, attempt: steps.records.get(steps.last)?.attempt ?? 1, settled: true };
  }
  const record = steps.records.get(index);
  if (record === undefined) return { is: "ready", index, attempt: 1 };
  const { attempt, state, settled, started_at, repeatable, job } = record;
  if (state === "again") return { is: "ready", index, attempt: attempt + 1 };
  if (state === "failed") return { is: "broken", index, attempt, settled };
  if (state === "started" && job !== undefined) return { is: "ready", index, attempt, started_at, job };
  const isHarmless = changesNothing(projection, step.kind, index) || repeatable;
  if (state === "started" && isHarmless) return { is: "ready", index, attempt, started_at };
  return { is: "outcome_unknown", index, attempt };
}

/** True when a step may have had an effect. From then on, no other task may use the target (D-012). */
export const hasStarted = ({ steps, skill }: Projection): boolean => skill.has_acted || steps.starts.length > 0;

export type StepInFlight = { readonly index: number; readonly attempt: number };

/** It may have had its effect. A check and a wait change nothing, and a step that may be repeated does no harm (D-013). */
export function stepInFlight(projection: Projection): StepInFlight | null {
  const { procedure, skill, steps, agent } = projection;
  const act = skill.steps.find(({ state, repeatable }) => state === "cut_off" && !repeatable);
  if (act !== undefined) return { index: act.index, attempt: act.attempt };
  for (const { index, attempt, state, repeatable } of steps.records.values()) {
    const kind = (procedure?.steps[index] ?? agent.calls[index]?.step)?.kind;
    const isHarmless = changesNothing(projection, kind, index) || repeatable;
    if (state === "unknown" || (state === "started" && !isHarmless)) return { index, attempt };
  }
  return null;
}

/**
 * Asks the engine to end the open job of a task. Null when there is none. `contract` names the task's backend. `refusal` says why the job
 * may still run; null when the engine was asked to end it.
 */
export async function stopOpenJob(
  backendOf: (contract: TaskContract) => ExecutionBackend | null,
  contract: TaskContract,
  { jobs }: Projection,
): Promise<{ readonly job_id: string; readonly refusal: string | null } | null> {
  const open = openJobOf(jobs);
  if (open === null) return null;
  const { job } = open;
  const cancelJob = backendOf(contract)?.cancelJob;
  const refusal = cancelJob === undefined ? "there is no flow engine any more" : await cancelJob(job);
  return { job_id: job.job_id, refusal };
}

/**
 * Only of a step that its server has started, whose outcome is not known (D-330). A job of a flow engine is looked up again, and a step
 * that may be repeated runs again: nothing is asked about either.
 */
export function takesLateResult(
  state: Projection,
  { index, attempt, owner }: Pick<LateResult, "index" | "attempt" | "owner">,
): boolean {
  const record = state.steps.records.get(index);
  const asked = stepInFlight(state);
  if (record === undefined || asked?.index !== index || asked.attempt !== attempt) return false;
  if (state.reported !== null && hasEnded(state.reported.status)) return false;
  return record.state === "started" && record.started_by === owner && record.late === null && record.job === undefined;
}
