// [3.rule.3] Every check step passes, or the task failed. The steps have run; this node reads what the checks reported.
import { counted, reason } from "../../src/domain/outcome.ts";
import type { StepResult } from "../../src/domain/step.ts";
import { lastWords } from "../../src/domain/step-run.ts";
import { judge, type Verdict } from "../../src/domain/verdict.ts";
import { pinned } from "../../src/tasks/plan.ts";
import { stepResultsOf } from "../../src/tasks/projection/steps.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const verify =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { steps, criteria } = pinned(journal.projection);
    const results = stepResultsOf(journal.projection.steps, steps);
    const { failure } = journal.projection.jobs;
    const { success_criteria } = contract;
    const verdict = judge({ steps, results, covers: criteria, success_criteria, job_failure: failure?.code ?? null });
    journal.note({ kind: "verdict_reached", body: verdict });
    return {
      verdict: verdict.passed ? "pass" : "fail",
      reason: reason(verdict.reason_code, failure?.message ?? sentence(verdict, results), verdict.step_index),
    };
  };

function sentence({ reason_code, step_index, checks }: Verdict, results: readonly StepResult[]): string {
  const broken = results.find(({ index }) => index === step_index);
  const how = broken === undefined ? "" : ending(broken);
  const proved = checks.find((check) => check.step_index === step_index)?.criterion;
  switch (reason_code) {
    case "verified":
      return `${counted(checks.length, "check")} passed.`;
    case "check_failed":
      return `Check step ${step_index} failed${proved == null ? "" : ` (success criterion "${proved}")`}${how}.`;
    case "step_failed":
      return `Step ${step_index} failed${how}.`;
    case "nothing_verified":
      return "The procedure holds no check step, so nothing was verified.";
    default:
      return `The job failed the task: ${reason_code}.`;
  }
}

/** Output of a step is data: it is quoted (D-093). */
function ending(result: StepResult): string {
  const { exit_code, timed_out } = result;
  const how = timed_out ? " at its time limit" : exit_code === null ? "" : ` with exit code ${exit_code}`;
  const words = lastWords(result);
  return words === "" ? how : `${how}; it said last: ${JSON.stringify(words)}`;
}
