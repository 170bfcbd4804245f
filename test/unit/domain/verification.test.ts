// The rules on the check of a finished task from outside.
import { describe, expect, test } from "vitest";
import { contractDigest } from "../../../src/domain/contract.ts";
import type { Step } from "../../../src/domain/step.ts";
import {
  answerOf,
  beginningOf,
  diagnosticContract,
  endingOf,
  isInDebt,
  looksAgain,
  type Verdict,
  verificationText,
  verifiedId,
} from "../../../src/domain/verification.ts";
import { AT, aContract, aResult, check, cmd, mcpCall } from "../../support/builders.ts";

const BY = { verify_by: "sop:health_check" };

test("a contract that does not say how it is verified has the digest that it had before it could", () => {
  expect(contractDigest(aContract())).toBe("06acf7a40da41bed70b1753a3ea005e3b4c15f19306309e98dc00b98f15a8372");
});

describe("a task is in debt", () => {
  const task = (verify_within_hours?: number) => ({
    task_id: "t-1",
    intent: "deploy",
    target_signature: "",
    ended_at: AT,
    contract: { verify_within_hours },
  });

  test.each([
    [24, "2026-03-07T08:59:59.999Z", false],
    [24, "2026-03-07T09:00:00.000Z", true],
    [0.5, "2026-03-06T09:29:59.999Z", false],
    [0.5, "2026-03-06T09:30:00.000Z", true],
    [undefined, "2036-03-06T09:00:00.000Z", false],
  ])("with %s hours at %s: %s", (hours, now, expected) => {
    expect(isInDebt(task(hours), new Date(now))).toBe(expected);
  });
});

describe("the contract of the diagnostic task", () => {
  test("allows no more than that of the task, and is the same at each try", () => {
    const over = { ...BY, payload: { version: 2 }, execution_backend: "flowengine" };
    const constraints = { implicit_scope: ["notes"], require_approval_for: ["restarts"], max_minutes: 3 };
    const contract = aContract({ ...over, constraints, delegation_mode: "agent", skip_if_done: true });
    const diagnostic = diagnosticContract(contract, AT);
    expect(diagnostic).toEqual({
      task_id: "t-1.verify",
      intent: "health_check",
      target: contract.target,
      delegation_mode: "known_only",
      constraints,
      success_criteria: [],
      requested_by: "orch",
      requested_at: "2026-03-06T09:01:00.000Z",
      payload: { version: 2 },
      execution_backend: "flowengine",
    });
    expect(diagnosticContract(contract, AT)).toEqual(diagnostic);
    expect(diagnosticContract(aContract(), AT)).toBeNull();
  });

  test("has an id from which that of the task follows", () => {
    expect(["t-1.verify", "t-1.verify.verify", "t-1"].map(verifiedId)).toEqual(["t-1", "t-1.verify", null]);
  });
});

describe("a procedure looks again", () => {
  const tool = mcpCall({ expect: { path: "", equals: 1 } });
  const own: Step[] = [cmd("deploy"), check("test -s a"), check("test -s b"), tool];

  test.each([
    ["with the same checks", own, true],
    ["with some of them in another order", [check("test -s b"), check("test -s a")], true],
    ["with other blanks around one", [check(" test -s a\n")], true],
    ["with the same call of a tool", [tool], true],
    ["with no check at all", [cmd("true")], true],
    ["unless one check is another one", [check("test -s a"), check("curl -f http://web")], false],
    ["unless it expects another answer", [mcpCall({ expect: { path: "", equals: 2 } })], false],
    ["unless a command becomes a check", [check("deploy")], false],
  ])("%s", (_title, verifying, expected) => {
    expect(looksAgain(own, verifying)).toBe(expected);
  });
});

describe("a diagnostic task", () => {
  const verdict = (reason_code: Verdict["reason_code"], step_index: number | null = null): Verdict => ({
    passed: reason_code === "verified",
    reason_code,
    step_index,
    checks: [],
    uncovered_criteria: [],
  });
  const failed = { kind: "check", status: "failed", exit_code: 1 } as const;
  const answer = (over: Partial<ReturnType<typeof aResult>>) =>
    answerOf(verdict("check_failed", 0), [aResult({ ...failed, ...over })]);

  test("verifies when it is verified itself", () => {
    expect(answerOf(verdict("verified"), [])).toBe(true);
  });

  test("refutes when a check of it says so", () => {
    expect(answer({})).toBe(false);
    expect(answer({ kind: "mcp_call", stdout: '{"state":"down"}' }), "a tool that answered").toBe(false);
  });

  test.each([
    ["a program is not there", answer({ exit_code: 127 })],
    ["a program cannot be run", answer({ exit_code: 126 })],
    ["a signal has ended the check", answer({ exit_code: null })],
    ["the check took too long", answer({ exit_code: 1, timed_out: true })],
    ["a tool gave no answer", answer({ kind: "mcp_call", stderr: "connection refused" })],
    ["the result of the check is not known", answerOf(verdict("check_failed", 0), [])],
    ["a command failed", answerOf(verdict("step_failed", 0), [aResult({ status: "failed" })])],
    ["an engine failed", answerOf(verdict("flow_crashed"), [])],
    ["nothing was verified", answerOf(verdict("nothing_verified"), [])],
    ["it was blocked", answerOf(null, [])],
  ])("gives no verdict where %s", (_title, is) => {
    expect(is).toBeNull();
  });
});

test("what a contract wants is one sentence, and nothing where it wants nothing", () => {
  expect(verificationText(aContract())).toBeNull();
  expect(verificationText(aContract({ verify_within_hours: 24 }))).toBe("owed 24 h after DONE");
  expect(verificationText(aContract({ ...BY, verify_within_hours: 24 }))).toBe(
    'sop:health_check on "environment=prod;service=web", 60 s after DONE, as task t-1.verify; owed 24 h after DONE',
  );
});

test("a text is cut between two characters", () => {
  expect([beginningOf("a😀b", 4), beginningOf("a😀b", 2), beginningOf("a😀b", 3)]).toEqual(["a😀b", "a", "a😀"]);
  expect([endingOf("a😀b", 4), endingOf("a😀b", 2), endingOf("a😀b", 3)]).toEqual(["a😀b", "b", "😀b"]);
});
