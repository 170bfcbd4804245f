// [7.1] The routing model calls a failure transient or unknown. A transient failure is retried once, from the failed step. A
// step that the supervisor has resolved, that has had its retry (D-009), or that may have had its effect elsewhere, is final. So is a check:
// the model decides nothing in the verifier. A step that says that a repeat has no effect is retried without the model where its answer was
// lost.
import { mayPass } from "../../src/domain/job.ts";
import { isCheck } from "../../src/domain/step.ts";
import { commandText, sentStep } from "../../src/domain/step-run.ts";
import { pinned } from "../../src/tasks/plan.ts";
import { progressOf } from "../../src/tasks/progress.ts";
import type { Projection } from "../../src/tasks/projection.ts";
import { isLostAndRepeatable, mayRunAgain } from "../../src/tasks/step-delivery.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const classifyError =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal, cancel } = await deps.threadOf(contract.task_id);
    const { steps } = pinned(journal.projection);
    const progress = progressOf(journal.projection, steps);
    if (progress.is !== "broken" || progress.settled) return { error: "final" };
    const { index, attempt } = progress;
    const step = steps[index];
    const { steps: recorded, jobs, gate } = journal.projection;
    // An attempt that a stop interrupted, and that the supervisor had repeated, is not that retry.
    if (recorded.retried.has(index)) return { error: "final" };
    const { failure } = jobs;
    if (failure !== null && !mayPass(failure.code)) return { error: "final" };
    // Where an engine took no job, the check has not run.
    if (failure === null && step !== undefined && isCheck(step)) return { error: "final" };
    const about = `step ${index}, attempt ${attempt}`;
    // The answer and the retry it grants are committed together: an answer without one was final.
    if (gate.failures.has(about)) return { error: "final" };
    const failed = { contract, projection: journal.projection, index };
    if (failure === null && !(await mayRunAgain(deps, failed, cancel))) return { error: "final" };
    if (failure === null && (await isLostAndRepeatable(deps, failed))) {
      await journal.commit([{ kind: "retry_granted", body: { index } }]);
      return { error: "worth_a_retry" };
    }
    // Stryker disable next-line ConditionalExpression,StringLiteral: a broken step is one of the plan
    const command = step === undefined ? "" : commandText(sentStep(step, contract));
    const reply = await deps.gate.classifyError({ command, output: outputOf(journal.projection) }, cancel);
    const answered = { kind: "gate_answered", body: { question: "error", about, ...reply } } as const;
    const transient = reply.answer.error_type === "transient";
    await journal.commit(transient ? [answered, { kind: "retry_granted", body: { index } }] : [answered]);
    return { error: transient ? "worth_a_retry" : "final" };
  };

function outputOf({ steps }: Projection): string {
  const result = steps.attempts.at(-1);
  // Stryker disable next-line ConditionalExpression,StringLiteral: a broken step has ended
  if (result === undefined) return "";
  return result.stderr === "" ? result.stdout : result.stderr;
}
