import { describe, expect, test } from "vitest";
import { alreadyDoneSentence, hasTriedProcedure, judge, judgeLooks } from "../../../src/domain/verdict.ts";
import { aResult, check, cmd } from "../../support/builders.ts";

const steps = [cmd("up"), check("served")];
const covers = [{ criterion: "the page is served", step_index: 1 }];
const criteria = ["the page is served"];
const passed = (index: number) => aResult({ index });
const failed = (index: number) => aResult({ index, status: "failed", exit_code: 7 });

describe("the verdict", () => {
  test("passes when every check passed [3.rule.3]", () => {
    const verdict = judge({ steps, results: [passed(0), passed(1)], covers, success_criteria: criteria });
    expect(verdict).toMatchObject({ passed: true, reason_code: "verified", uncovered_criteria: [] });
    expect(verdict.checks).toEqual([{ step_index: 1, criterion: "the page is served", passed: true, exit_code: 0 }]);
  });

  test("fails when a check failed, and names it [3.rule.3.failed]", () => {
    const verdict = judge({ steps, results: [passed(0), failed(1)], covers, success_criteria: criteria });
    expect(verdict).toMatchObject({ passed: false, reason_code: "check_failed", step_index: 1 });
  });

  test("fails when a command failed: checks that never ran did not pass", () => {
    const verdict = judge({ steps, results: [failed(0)], covers, success_criteria: criteria });
    expect(verdict).toMatchObject({ passed: false, reason_code: "step_failed", step_index: 0 });
    expect(verdict.checks[0]).toMatchObject({ passed: false, exit_code: null });
  });

  test("never passes on no check at all", () => {
    const verdict = judge({ steps: [cmd("up")], results: [passed(0)], covers: [], success_criteria: [] });
    expect(verdict).toMatchObject({ passed: false, reason_code: "nothing_verified" });
  });

  test("names criteria that this SOP has no check for", () => {
    const verdict = judge({ steps, results: [passed(0), passed(1)], covers, success_criteria: [...criteria, "fast"] });
    expect(verdict).toMatchObject({ passed: true, uncovered_criteria: ["fast"] });
  });
});

describe("the verdict on looks", () => {
  const proof = { class: "proved", seen_red: ["control"], change: "was_true_already", reason: null } as const;
  const looks = new Map([[1, { exit_code: 0 }]]);
  const judged = (success_criteria: readonly string[] = criteria) =>
    judgeLooks({
      steps,
      looks,
      covers,
      success_criteria,
      proofAt: (index) => (index === 1 ? { ...proof, seen_red: [...proof.seen_red] } : undefined),
    });

  test("passes without a run, with what each check is worth", () => {
    expect(judged()).toEqual({
      ...{ passed: true, reason_code: "already_done", step_index: null, uncovered_criteria: [] },
      checks: [{ step_index: 1, criterion: "the page is served", passed: true, exit_code: 0, proof }],
    });
    expect(judged([...criteria, "fast"]).uncovered_criteria).toEqual(["fast"]);
  });

  test("says nothing of the procedure, as one on a job that the engine did not accept", () => {
    expect(hasTriedProcedure(judged())).toBe(false);
    expect(hasTriedProcedure({ reason_code: "engine_unreachable" })).toBe(false);
    expect(hasTriedProcedure({ reason_code: "verified" })).toBe(true);
    expect(hasTriedProcedure({ reason_code: "check_failed" })).toBe(true);
  });

  test("has a sentence of its own", () => {
    const { checks } = judged();
    expect(alreadyDoneSentence(checks)).toBe("Already done: 1 check was true before anything ran. Nothing was run.");
    expect(alreadyDoneSentence([...checks, ...checks])).toBe(
      "Already done: 2 checks were true before anything ran. Nothing was run.",
    );
  });
});
