// The vocabulary of jobs: which ends fail a task, which of them may pass on a retry, and the next action of each.
import { describe, expect, test } from "vitest";
import { nextByReason, OutcomeView, outcome } from "../../../src/domain/outcome.ts";
import { JOB_FAILURES } from "../../../src/domain/reason-code.ts";
import { isJobFailure, Job, JobEnd, mayPass } from "../../../src/domain/run-request.ts";
import { judge } from "../../../src/domain/verification.ts";
import { aResult, check } from "../../support/builders.ts";

const job_id = "0190a1b2-0000-7000-8000-000000000001";

test.each(JOB_FAILURES)("%s fails a task although its checks have passed, and says what to do next", (code) => {
  expect(isJobFailure(code)).toBe(true);
  const passed = { steps: [check("true")], results: [aResult({ kind: "check" })], covers: [], success_criteria: [] };
  expect(judge({ ...passed, job_failure: null }).passed).toBe(true);
  expect(judge({ ...passed, job_failure: code })).toMatchObject({ passed: false, reason_code: code, step_index: null });
  const ended = outcome("failed", code, "so it was", { thread_id: "t-1" });
  const facts = { thread_id: "t-1", approval_id: null, step_index: null };
  expect(OutcomeView.parse(ended)).toMatchObject({ next: nextByReason(code, facts) });
});

test.each(["passed", "step_failed", "lost"] as const)("%s is not a failure of the job: its steps decide", (code) => {
  expect(isJobFailure(code)).toBe(false);
});

test("only engine_unreachable and engine_unavailable may pass on a retry", () => {
  expect(JOB_FAILURES.filter(mayPass)).toEqual(["engine_unreachable", "engine_unavailable"]);
});

describe("in the journal", () => {
  test("a job has its id, its last step and its engine", () => {
    const job = { job_id, through: 0, engine: "http://engine lab f/orch/execute_task_steps" };
    expect(Job.parse(job)).toEqual(job);
    for (const odd of [
      { ...job, job_id: "1" },
      { ...job, through: -1 },
      { ...job, more: 1 },
      { job_id, through: 0 },
    ]) {
      expect(Job.safeParse(odd).success, JSON.stringify(odd)).toBe(false);
    }
  });

  test("an end has a code of the vocabulary", () => {
    const end = { job_id, code: "lost", message: "", raw_result: null };
    expect(JobEnd.parse(end)).toEqual(end);
    expect(JobEnd.safeParse({ ...end, code: "failed" }).success).toBe(false);
  });
});
