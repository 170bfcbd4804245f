// [3.rule.3] Every check step passes, or the task failed. The steps have run; this node reads what the checks reported. For an
// agent, `finish` counts when a check has proved each success criterion after the last change (D-135).

import type { AgentCall } from "../../src/domain/agent-events.ts";
import { unrepeatedSentence } from "../../src/domain/gate.ts";
import { reason } from "../../src/domain/outcome.ts";
import { quotedLine } from "../../src/domain/output-lines.ts";
import { mayPass } from "../../src/domain/run-request.ts";
import { isCheck, type StepResult } from "../../src/domain/step.ts";
import { commandText, leftText, sentStep, triesText } from "../../src/domain/step-run.ts";
import { alreadyDoneSentence, passedSentence, uncoveredSentence, type Verdict } from "../../src/domain/verification.ts";
import { examineChecks } from "../../src/engine/tasks/check-looks.ts";
import { pinned, verdictOn, whyNotSkipped } from "../../src/engine/tasks/plan.ts";
import { isLostAndRepeatable, mayRunAgain, progressOf } from "../../src/engine/tasks/progress.ts";
import type { Projection } from "../../src/engine/tasks/projection.ts";
import { stepResultsOf } from "../../src/engine/tasks/steps-fold.ts";
import { agentProofs, hasHeardWhatIsHeld, judgeFinish } from "../../src/features/agents/finish.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

export const verify =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    await examineChecks(deps, thread, contract);
    const { projection } = thread.journal;
    const verdict = verdictOn(contract, projection);
    thread.journal.note({ kind: "verdict_reached", body: verdict });
    const results = stepResultsOf(projection.steps, pinned(projection).steps);
    const { failure } = projection.jobs;
    const unskipped = verdict.reason_code === "verified" ? whyNotSkipped(contract, projection) : "";
    const unrepeated = unrepeatedText(projection, verdict);
    const message =
      (failure?.message ?? sentence(verdict, results)) +
      unrepeated +
      (failure === null ? unskipped + leftSentences(results) : "");
    return {
      verdict: verdict.passed ? "pass" : "fail",
      reason: reason(verdict.reason_code, message, verdict.step_index),
    };
  };

/** Of the failed step, where the model was asked about it and gave no answer. */
function unrepeatedText({ gate }: Projection, { passed, step_index }: Verdict): string {
  const last = gate.answers.findLast(({ question }) => question === "error");
  const isAbout = last !== undefined && !passed && last.about.startsWith(`step ${step_index}, `);
  return isAbout ? unrepeatedSentence(last) : "";
}

function sentence(
  { reason_code, step_index, checks, uncovered_criteria }: Verdict,
  results: readonly StepResult[],
): string {
  const broken = results.find(({ index }) => index === step_index);
  const how = broken === undefined ? "" : ending(broken);
  const proved = checks.find((check) => check.step_index === step_index)?.criterion;
  switch (reason_code) {
    case "verified":
      return joined([passedSentence(checks), uncoveredSentence(uncovered_criteria)]);
    case "already_done":
      return joined([alreadyDoneSentence(checks), uncoveredSentence(uncovered_criteria)]);
    case "check_failed":
      return `Check step ${step_index} failed${proved == null ? "" : ` (success criterion "${proved}")`}${how}.`;
    case "step_failed":
      return `Step ${step_index} failed${how}.`;
    case "nothing_verified":
      return "The procedure holds no check step, so nothing was verified.";
    // Stryker disable next-line ConditionalExpression: every other code is the failure of a job, which has its own message
    default:
      // Stryker disable next-line StringLiteral: as above
      return `The job failed the task: ${reason_code}.`;
  }
}

const joined = (sentences: readonly string[]): string => sentences.filter((one) => one !== "").join(" ");

/** Names the processes that steps left running: their work may not be done. */
const leftSentences = (results: readonly StepResult[]): string =>
  results
    .flatMap(({ index, left_processes }) =>
      left_processes === undefined ? [] : [` In step ${index}, ${leftText(left_processes)}.`],
    )
    .slice(0, MAX_LEFT)
    .join("");

const MAX_LEFT = 5;

/** Output of a step is data: it is quoted (D-093). */
function ending(result: StepResult): string {
  const { exit_code, timed_out } = result;
  const how = timed_out ? " at its time limit" : exit_code === null ? "" : ` with exit code ${exit_code}`;
  const tries = triesText(result);
  const after = tries === "" ? "" : ` after ${tries}`;
  const words = quotedLine(result);
  const said = result.kind === "mcp_call" ? "it said" : "it said last";
  return words === "" ? `${how}${after}` : `${how}${after}; ${said}: ${JSON.stringify(words)}`;
}

export const verifyFinish =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { finished: finish, calls } = journal.projection.agent;
    if (finish === null) throw new Error("the agent has finished and the journal does not say so");
    const verdict = judgeFinish(calls, finish, contract, agentProofs(journal.projection));
    journal.note({ kind: "verdict_reached", body: verdict });
    const claim = ` The agent says: ${JSON.stringify(finish.summary.slice(0, MAX_CLAIM).toWellFormed())}.`;
    const code = verdict.passed ? "verified" : "nothing_verified";
    const message = finishSentence(verdict, finish.done, calls) + claim;
    return { verdict: verdict.passed ? "pass" : "fail", reason: reason(code, message) };
  };

/** The words of the agent are data. All of them are in the evidence. */
const MAX_CLAIM = 200;

function finishSentence(
  { passed, checks, uncovered_criteria }: Verdict,
  done: boolean,
  calls: readonly AgentCall[],
): string {
  if (!done) return "The agent could not do it.";
  const hasLookedOnly = calls.every(({ effect, result }) => effect === "reads" || result === null);
  if (passed && hasLookedOnly) return `${passedSentence(checks)} The agent changed nothing.`;
  if (passed) return passedSentence(checks, " after the last change");
  if (hasHeardWhatIsHeld(calls) && checks.some(({ exit_code }) => exit_code === 0))
    return "No check shows what the agent did: the agent heard why, and named no other one.";
  if (uncovered_criteria.length === 0) return "No check exited with 0 after the last change.";
  return `No check that exited with 0 after the last change proves: ${uncovered_criteria.map((one) => JSON.stringify(one)).join(", ")}.`;
}

// [7.1] The routing model calls a failure transient or unknown. A transient failure is retried once, from the failed step. A
// step that the supervisor has resolved, that has had its retry (D-009), or that may have had its effect elsewhere, is final. So is a check:
// the model decides nothing in the verifier. A step that says that a repeat has no effect is retried without the model where its answer was
// lost.

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
