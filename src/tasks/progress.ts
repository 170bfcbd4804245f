// How far a procedure is. This makes a restart safe: a finished step never runs again, and a step that was started and has
// no recorded end runs again only when it changes nothing.
import type { Job } from "../domain/job.ts";
import type { Step } from "../domain/step.ts";
import type { Projection } from "./projection.ts";

export type StepProgress =
  /**
   * `started_at` is the start of an interrupted check or wait. With a job, the step and those after it were handed over, and
   * the job is looked for again.
   */
  | {
      readonly is: "ready";
      readonly index: number;
      readonly attempt: number;
      readonly started_at?: string;
      readonly job?: Job | undefined;
    }
  /** The step failed; `settled` when the supervisor decided that, which leaves nothing to classify. */
  | { readonly is: "broken"; readonly index: number; readonly attempt: number; readonly settled: boolean }
  | { readonly is: "outcome_unknown"; readonly index: number; readonly attempt: number }
  | { readonly is: "completed" };

export function progressOf({ steps, jobs }: Projection, plan: readonly Step[]): StepProgress {
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
  const isHarmless = step.kind === "check" || step.kind === "wait" || repeatable;
  if (state === "started" && isHarmless) return { is: "ready", index, attempt, started_at };
  return { is: "outcome_unknown", index, attempt };
}

/** Whether any step may have had an effect: from then on the target is not free for another task. */
export const hasStarted = ({ steps, skill }: Projection): boolean => skill.has_acted || steps.starts.length > 0;
