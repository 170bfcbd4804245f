// [3.rule.3] For an agent: `finish` counts when a check has proved each success criterion after the last change (D-135).
import { judgeFinish } from "../../src/agent/finish.ts";
import { counted, reason } from "../../src/domain/outcome.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const verifyFinish =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const { finished: finish, calls } = journal.projection.agent;
    if (finish === null) throw new Error("the agent has finished and the journal does not say so");
    const verdict = judgeFinish(calls, finish, contract.success_criteria);
    journal.note({ kind: "verdict_reached", body: verdict });
    const claim = ` The agent says: ${JSON.stringify(finish.summary.slice(0, MAX_CLAIM).toWellFormed())}.`;
    const code = verdict.passed ? "verified" : "nothing_verified";
    const message = sentence(verdict, finish.done) + claim;
    return { verdict: verdict.passed ? "pass" : "fail", reason: reason(code, message) };
  };

/** The words of the agent are data. All of them are in the evidence. */
const MAX_CLAIM = 200;

function sentence({ passed, checks, uncovered_criteria }: Verdict, done: boolean): string {
  if (!done) return "The agent could not do it.";
  if (passed) return `${counted(checks.length, "check")} passed after the last change.`;
  if (uncovered_criteria.length === 0) return "No check exited with 0 after the last change.";
  return `No check that exited with 0 after the last change proves: ${uncovered_criteria.map((one) => JSON.stringify(one)).join(", ")}.`;
}
