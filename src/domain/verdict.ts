// Verification [3.rule.3]: the task passes when every step passes. A plan without a check proves nothing (D-010).
import { z } from "zod";
import { JOB_FAILURES, type JobFailure } from "./job.ts";
import { counted } from "./outcome.ts";
import { CheckProof } from "./proof.ts";
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
      proof: CheckProof.optional().describe("what the check is worth; absent where it did not pass"),
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
  readonly proofAt?: (step_index: number) => CheckProof | undefined;
};

const UNKNOWN = () => undefined;

/** `results` holds the last attempt of every step that ran. */
export function judge({
  steps,
  results,
  covers,
  success_criteria,
  job_failure = null,
  proofAt = UNKNOWN,
}: Judged): Verdict {
  const resultAt = new Map(results.map((result) => [result.index, result]));
  const criterionAt = new Map(covers.map((cover) => [cover.step_index, cover.criterion]));
  const checks = steps.flatMap((step, step_index) => {
    if (!isCheck(step)) return [];
    const result = resultAt.get(step_index);
    const criterion = criterionAt.get(step_index) ?? null;
    const passed = result?.status === "passed";
    const proof = passed ? proofAt(step_index) : undefined;
    return [{ step_index, criterion, passed, exit_code: result?.exit_code ?? null, ...(proof && { proof }) }];
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

/** Says of how many checks it is unknown whether they can fail. Nothing of it changes the status. */
export function passedSentence(checks: Verdict["checks"], when = ""): string {
  const proofs = checks.flatMap(({ proof }) => proof ?? []);
  const unseen = proofs.filter(({ seen_red }) => seen_red.length === 0).length;
  const weak =
    unseen === 0
      ? ""
      : checks.length === 1
        ? ", and has never been seen to fail"
        : `, ${unseen} of them ${unseen === 1 ? "has" : "have"} never been seen to fail`;
  const was_true = proofs.length > 0 && proofs.every(({ change }) => change === "was_true_already");
  const already = was_true ? ` ${checks.length === 1 ? "It was" : "All were"} true already before the change.` : "";
  return `${counted(checks.length, "check")} passed${when}${weak}.${already}`;
}
