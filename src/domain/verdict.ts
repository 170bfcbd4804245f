// Verification [3.rule.3]: the task passes when every step passes. A plan without a check proves nothing (D-010).
import { z } from "zod";
import { JOB_FAILURES, type JobFailure } from "./job.ts";
import type { CriterionCheck } from "./sop.ts";
import { isCheck, type Step, type StepResult } from "./step.ts";

export const Verdict = z.strictObject({
  passed: z.boolean(),
  reason_code: z.enum(["verified", "step_failed", "check_failed", "nothing_verified", ...JOB_FAILURES]),
  step_index: z.int().min(0).nullable().describe("the step that failed"),
  checks: z.array(
    z.strictObject({
      step_index: z.int().min(0),
      criterion: z.string().nullable(),
      passed: z.boolean(),
      exit_code: z.int().nullable(),
    }),
  ),
  uncovered_criteria: z.array(z.string()).describe("criteria of the contract that no check of this SOP covers"),
});
export type Verdict = z.infer<typeof Verdict>;

type Judged = {
  readonly steps: readonly Step[];
  readonly results: readonly StepResult[];
  readonly covers: readonly CriterionCheck[];
  readonly success_criteria: readonly string[];
  /** The failure of a flow counts even when every step passed [3.rule.6]. */
  readonly job_failure?: JobFailure | null;
};

/** `results` holds the last attempt of every step that ran. */
export function judge({ steps, results, covers, success_criteria, job_failure = null }: Judged): Verdict {
  const resultAt = new Map(results.map((result) => [result.index, result]));
  const criterionAt = new Map(covers.map((cover) => [cover.step_index, cover.criterion]));
  const checks = steps.flatMap((step, step_index) => {
    if (!isCheck(step)) return [];
    const result = resultAt.get(step_index);
    const criterion = criterionAt.get(step_index) ?? null;
    return [{ step_index, criterion, passed: result?.status === "passed", exit_code: result?.exit_code ?? null }];
  });
  const covered = new Set(covers.map((cover) => cover.criterion));
  const uncovered_criteria = success_criteria.filter((criterion) => !covered.has(criterion));
  const broken = steps.findIndex((_step, index) => resultAt.get(index)?.status !== "passed");
  const reason_code = job_failure ?? reasonOf(steps[broken], checks.length);
  return {
    passed: reason_code === "verified",
    reason_code,
    step_index: broken === -1 ? null : broken,
    checks,
    uncovered_criteria,
  };
}

function reasonOf(broken: Step | undefined, checks: number): Verdict["reason_code"] {
  if (broken !== undefined) return isCheck(broken) ? "check_failed" : "step_failed";
  return checks === 0 ? "nothing_verified" : "verified";
}
