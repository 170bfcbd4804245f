// The step results that a flow reports: missing fields get defaults, and contradictions to the plan are refused.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT, check, cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { StepResult } from "../../../../domain/step.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { kept, reportedSteps, type StepRange } from "../../../flow-engine/end-of-job.ts";

const redact = createRedactor(["hunter2-hunter2"]);
const RANGE: StepRange = {
  steps: [cmd("up"), check("served"), wait("1s"), mcpCall()],
  first_index: 4,
  attempt: 2,
  started_at: AT,
};
const LATER = "2026-03-06T09:30:00.000Z";

const readOf = (...reported: readonly unknown[]) => reportedSteps(reported, RANGE, redact);
const passed = (over: object = {}) => ({ status: "passed", ...over });

describe("a result", () => {
  test("with every field is kept, with the index of its step in the plan", () => {
    const told = {
      index: 0,
      kind: "cmd",
      status: "failed",
      exit_code: 3,
      stdout: "out",
      stderr: "err",
      attempt: 1,
      stdout_bytes: 70_000,
      stderr_bytes: 3,
      truncated: true,
      started_at: LATER,
      duration_ms: 1.5,
      timed_out: true,
    };
    expect(readOf(told)).toEqual({ results: [{ ...told, index: 4, attempt: 2 }], issue: null });
  });

  test("with only an exit code is completed", () => {
    const { results, issue } = readOf({ exit_code: 0 }, { exit_code: 7, stdout: "größe" });
    expect(issue).toBeNull();
    expect(results).toEqual([
      {
        index: 4,
        kind: "cmd",
        status: "passed",
        attempt: 2,
        exit_code: 0,
        stdout: "",
        stderr: "",
        stdout_bytes: 0,
        stderr_bytes: 0,
        truncated: false,
        started_at: AT,
        duration_ms: 0,
        timed_out: false,
      },
      {
        index: 5,
        kind: "check",
        status: "failed",
        attempt: 1,
        exit_code: 7,
        stdout: "größe",
        stderr: "",
        stdout_bytes: 7,
        stderr_bytes: 0,
        truncated: false,
        started_at: AT,
        duration_ms: 0,
        timed_out: false,
      },
    ]);
  });

  test.each<[object, string, number | null]>([
    [{ status: "passed" }, "passed", 0],
    [{ status: "passed", exit_code: null }, "passed", null],
    [{ status: "failed" }, "failed", null],
    [{ status: "failed", exit_code: 0 }, "failed", 0],
    [{ status: "outcome_unknown", exit_code: null }, "outcome_unknown", null],
    [{ status: "skipped" }, "skipped", null],
    [{ exit_code: null }, "failed", null],
    [{ exit_code: -1 }, "failed", -1],
  ])("%j is %s with exit code %s", (reported, status, exit_code) => {
    expect(readOf(reported).results).toMatchObject([{ status, exit_code }]);
  });

  test("may have unknown fields, which are dropped", () => {
    const [result] = readOf(passed({ note: "x", constructor: "y" })).results;
    expect(StepResult.parse(result)).toEqual(result);
  });
});

describe("what does not fit the plan is reported, and the results before it are kept", () => {
  test.each<[string, object]>([
    ["step_results.1 says index 0", passed({ index: 0 })],
    ["step_results.1 says index 5", passed({ index: 5 })],
    ["step_results.1 says kind cmd, but the step is a check", passed({ kind: "cmd" })],
    ["step_results.1 has neither status nor exit_code", { stdout: "done" }],
    ["step_results.1 says passed with exit code 1", passed({ exit_code: 1 })],
    ["step_results.1: status: Invalid option", { status: "ok" }],
    ["step_results.1: kind: Invalid option", passed({ kind: "deploy" })],
    ["step_results.1: index: Invalid input", passed({ index: "1" })],
    ["step_results.1: index: Too small", passed({ index: -1 })],
    ["step_results.1: exit_code: Invalid input", { exit_code: "0" }],
    ["step_results.1: exit_code: Invalid input", { exit_code: 0.5 }],
    ["step_results.1: stdout: Invalid input", passed({ stdout: null })],
    ["step_results.1: stdout: Invalid input", passed({ stdout: ["a", "b"] })],
    ["step_results.1: stdout_bytes: Too small", passed({ stdout_bytes: -1 })],
    ["step_results.1: started_at: Invalid ISO datetime", passed({ started_at: "yesterday" })],
    ["step_results.1: duration_ms: Too small", passed({ duration_ms: -1 })],
    ["step_results.1: truncated: Invalid input", passed({ truncated: "no" })],
  ])("%s", (issue, second) => {
    const read = readOf(passed(), second, passed());
    expect(read.results).toMatchObject([{ index: 4, status: "passed" }]);
    expect(read.issue?.slice(0, issue.length)).toBe(issue);
  });

  test.each<unknown>([null, 42, "passed", [], [passed()], true])("%j is not a result", (value) => {
    const { results, issue } = readOf(value);
    expect(results).toEqual([]);
    expect(issue).toMatch(/^step_results\.0(: | has neither)/);
  });

  test("a result after a step that did not pass", () => {
    const { results, issue } = readOf({ exit_code: 1 }, passed());
    expect(results).toMatchObject([{ status: "failed" }]);
    expect(issue).toBe("step_results.1 follows a step that did not pass");
  });

  test("a result of a step that was not submitted", () => {
    const { results, issue } = readOf(passed(), passed(), passed(), passed(), passed());
    expect(results).toHaveLength(4);
    expect(issue).toBe("step_results.4 is for no submitted step");
  });

  test("an empty list fits", () => {
    expect(readOf()).toEqual({ results: [], issue: null });
  });
});

describe("output", () => {
  test("loses its NUL characters, its half characters and its secrets", () => {
    const [result] = readOf(passed({ stdout: "a\0b\ud800c", stderr: "with hunter2-hunter2 in it" })).results;
    expect(result).toMatchObject({ stdout: "ab\ufffdc", stderr: "with [redacted] in it", stderr_bytes: 26 });
  });

  test("that is far too long is cut to its head and tail, and says so", () => {
    const [result] = readOf(passed({ stdout: `head ${"x".repeat(3_000_000)} tail` })).results;
    expect(result).toMatchObject({ stdout_bytes: 3_000_010, truncated: true });
    expect(result?.stdout).toMatch(/^head x+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+ tail$/);
    expect(result?.stdout.length).toBeLessThan(70_000);
  });

  test("that the flow truncated is not cut again and keeps the flow's length", () => {
    const stdout = `${"x".repeat(32_768)}\n[... 7 bytes left out ...]\n${"y".repeat(32_768)}`;
    const [result] = readOf(passed({ stdout, stdout_bytes: 65_543, truncated: true })).results;
    expect(result).toMatchObject({ stdout, stdout_bytes: 65_543, truncated: true });
  });

  test.each(["head", "tail"])("shows no part of a secret that crosses the cut at its %s", (side) => {
    const secret = "hunter2-hunter2";
    for (let shift = 1; shift < secret.length; shift += 1) {
      const long = "x".repeat(100_000);
      const edge = "y".repeat(32_768 - shift);
      const { text } = kept(side === "head" ? edge + secret + long : long + secret + edge, redact);
      expect(text).not.toMatch(/hun|ter2/);
      expect(text).toMatch(/y(?:\[redacted\])?\n\[\.\.\.|\.\.\.\]\n(?:\[redacted\])?y/);
    }
  });
});

test("the results that are read from any report fit the plan, and all but the last passed", () => {
  const reported = fc.record(
    {
      index: fc.integer({ min: 0, max: 4 }),
      kind: fc.constantFrom("cmd", "check", "wait", "mcp_call"),
      status: fc.constantFrom("passed", "failed", "skipped", "blocked", "outcome_unknown"),
      exit_code: fc.option(fc.integer({ min: -1, max: 2 })),
      stdout: fc.string({ unit: "binary" }),
      started_at: fc.constantFrom(AT, LATER, "soon"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(reported, fc.anything())), (all) => {
      const { results, issue } = readOf(...all);
      expect(issue === null).toBe(results.length === all.length);
      for (const [position, result] of results.entries()) {
        expect(StepResult.parse(result)).toEqual(result);
        expect(result).toMatchObject({ index: 4 + position, kind: RANGE.steps[position]?.kind });
        expect(result.attempt).toBe(position === 0 ? 2 : 1);
      }
      expect(results.slice(0, -1).every(({ status }) => status === "passed")).toBe(true);
    }),
  );
});
