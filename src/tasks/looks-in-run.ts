// The checks that a job of the flow engine looks at before its first step (D-198): only a job before which nothing of the plan
// has run. It is not asked to look again when it is looked up.
import { wasAccepted } from "../domain/job.ts";
import type { LookRequest } from "../domain/run-request.ts";
import type { Projection } from "./projection.ts";

/** `next`: of the job that is made or followed now. `last`: of the last job, whose report may still come. */
type LooksInRun = { readonly next: { look_at?: readonly number[] }; readonly last: { look_at?: readonly number[] } };

export function looksInRun(
  { jobs: { last, ends }, proof, steps }: Projection,
  checks: LookRequest["checks"],
): LooksInRun {
  if (proof.before !== null) return { next: {}, last: {} };
  const look_at = checks.map(({ step_index }) => step_index);
  const hasRun = (but: string | undefined) => ends.some(({ job_id, code }) => job_id !== but && wasAccepted(code));
  const given = (is_first: boolean) => (is_first && look_at.length > 0 ? { look_at } : {});
  return {
    next: given(steps.passed === 0 && !hasRun(undefined)),
    last: given(last?.first_index === 0 && !hasRun(last.job.job_id)),
  };
}
