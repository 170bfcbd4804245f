// Verification [3.rule.3]: the task passes when every step passes. A plan without a check proves nothing (D-010).
import { z } from "zod";
import { wasAccepted } from "./job.ts";
import { counted } from "./printable.ts";
import { CheckProof } from "./proof.ts";
import { JOB_FAILURES, type JobFailure } from "./reason-code.ts";
import type { CriterionCheck } from "./sop.ts";
import { isCheck, type Step, type StepResult } from "./step.ts";

export const Verdict = z.strictObject({
  passed: z.boolean(),
  reason_code: z.enum(["verified", "already_done", "step_failed", "check_failed", "nothing_verified", ...JOB_FAILURES]),
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

type Covered = {
  readonly steps: readonly Step[];
  readonly covers: readonly CriterionCheck[];
  readonly success_criteria: readonly string[];
};
type ProofAt = (step_index: number) => CheckProof | undefined;

type Judged = Covered & {
  readonly results: readonly StepResult[];
  /** The failure of a flow counts even when every step passed [3.rule.6]. */
  readonly job_failure?: JobFailure | null;
  readonly proofAt?: ProofAt;
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
  const checks = checksOf(steps, covers, proofAt, (index) => ({
    passed: resultAt.get(index)?.status === "passed",
    exit_code: resultAt.get(index)?.exit_code ?? null,
  }));
  const broken = steps.findIndex((_step, index) => resultAt.get(index)?.status !== "passed");
  const reason_code = job_failure ?? reasonOf(steps[broken], checks.length);
  return {
    passed: reason_code === "verified",
    reason_code,
    step_index: broken === -1 ? null : broken,
    checks,
    uncovered_criteria: uncovered(success_criteria, covers),
  };
}

type Looked = Covered & {
  readonly proofAt: ProofAt;
  readonly looks: ReadonlyMap<number, { readonly exit_code: number | null }>;
};

/** Of a task whose checks were all true before anything ran, so that nothing was run (D-199). */
export function judgeLooks({ steps, looks, covers, success_criteria, proofAt }: Looked): Verdict {
  const endOf = (index: number) => ({ passed: true, exit_code: looks.get(index)?.exit_code ?? null });
  return {
    passed: true,
    reason_code: "already_done",
    step_index: null,
    checks: checksOf(steps, covers, proofAt, endOf),
    uncovered_criteria: uncovered(success_criteria, covers),
  };
}

/** A verdict without a run, or on a job that the engine did not accept, says nothing of the procedure. */
export const hasTriedProcedure = ({ reason_code }: Pick<Verdict, "reason_code">): boolean =>
  reason_code !== "already_done" && wasAccepted(reason_code);

function checksOf(
  steps: Covered["steps"],
  covers: Covered["covers"],
  proofAt: ProofAt,
  endOf: (index: number) => Pick<Verdict["checks"][number], "passed" | "exit_code">,
): Verdict["checks"] {
  const criterionAt = new Map(covers.map((cover) => [cover.step_index, cover.criterion]));
  return steps.flatMap((step, step_index) => {
    if (!isCheck(step)) return [];
    const end = endOf(step_index);
    const proof = end.passed ? proofAt(step_index) : undefined;
    return [{ step_index, criterion: criterionAt.get(step_index) ?? null, ...end, ...(proof && { proof }) }];
  });
}

export function uncovered(success_criteria: Covered["success_criteria"], covers: Covered["covers"]): string[] {
  const covered = new Set(covers.map(({ criterion }) => criterion));
  return success_criteria.filter((criterion) => !covered.has(criterion));
}

const MAX_NAMED = 3;
const MAX_CRITERION = 120;

/** Names the criteria that no check proves; empty where there are none. Nothing of it changes the status (D-011). */
export function uncoveredSentence(criteria: readonly string[]): string {
  if (criteria.length === 0) return "";
  const named = criteria.slice(0, MAX_NAMED).map((one) => JSON.stringify(one.slice(0, MAX_CRITERION).toWellFormed()));
  const more = criteria.length > MAX_NAMED ? ` and ${criteria.length - MAX_NAMED} more` : "";
  return `No check proves ${named.join(", ")}${more}.`;
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

export const alreadyDoneSentence = (checks: Verdict["checks"]): string =>
  `Already done: ${counted(checks.length, "check")} ${checks.length === 1 ? "was" : "were"} true before anything ran. Nothing was run.`;
