// Says what of a task is in flight: the step that started and has no known end, the job that an engine may still run, which
// is ended with the task, and whether the journal still takes a late result of that step.
import type { TaskContract } from "../domain/contract.ts";
import type { LateResult } from "../domain/late-result.ts";
import { hasEnded } from "../domain/outcome.ts";
import type { ExecutionBackend } from "../ports.ts";
import { changesNothing } from "./progress.ts";
import { openJobOf } from "./projection/steps.ts";
import type { Projection } from "./projection.ts";

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
