// The progress of a procedure. It makes a restart safe: a finished step never runs again, and a step with a recorded
// start but no recorded end runs again only when it changes nothing (D-013).

import type { Job } from "../domain/job.ts";
import { pauses } from "../domain/polling.ts";
import type { Step } from "../domain/step.ts";
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
export function changesNothing({ findings }: Pick<Projection, "findings">, kind: string | undefined, index: number) {
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
