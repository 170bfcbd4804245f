import { describe, expect, test } from "vitest";
import { judge } from "../../../src/domain/verdict.ts";
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
