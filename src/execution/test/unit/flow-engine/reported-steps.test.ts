// The step results and the looks that a flow reports: missing fields get defaults, and contradictions to the plan are refused.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT, aResult, check, cmd, mcpCall, wait } from "../../../../../test/support/builders.ts";
import { StepResult } from "../../../../domain/step.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { kept, reportedLooks, reportedSteps, type StepRange } from "../../../flow-engine/end-of-job.ts";

const SECRET = "hunter2-hunter2";
const redact = createRedactor([SECRET]);
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
    const sizes = { stdout: "out", stderr: "err", stdout_bytes: 70_000, stderr_bytes: 3, truncated: true };
    const told = aResult({ status: "failed", exit_code: 3, ...sizes, started_at: LATER, timed_out: true });
    expect(readOf(told)).toEqual({ results: [{ ...told, index: 4, attempt: 2 }], issue: null });
  });

  test("with only an exit code is completed, without fields that are not known", () => {
    const failed = { status: "failed", exit_code: 7, stdout: "größe", stdout_bytes: 7 } as const;
    expect(readOf({ exit_code: 0, note: "x", constructor: "y" }, { exit_code: 7, stdout: "größe" })).toEqual({
      issue: null,
      results: [
        aResult({ index: 4, attempt: 2, duration_ms: 0 }),
        aResult({ index: 5, kind: "check", duration_ms: 0, ...failed }),
      ],
    });
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
});

test.each<[string, unknown]>([
  [" says index 0", passed({ index: 0 })],
  [" says index 5", passed({ index: 5 })],
  [" says kind cmd, but the step is a check", passed({ kind: "cmd" })],
  [" has neither status nor exit_code", { stdout: "done" }],
  [" says passed with exit code 1", passed({ exit_code: 1 })],
  [": status: Invalid option", { status: "ok" }],
  [": kind: Invalid option", passed({ kind: "deploy" })],
  [": index: Invalid input", passed({ index: "1" })],
  [": index: Too small", passed({ index: -1 })],
  [": exit_code: Invalid input", { exit_code: "0" }],
  [": exit_code: Invalid input", { exit_code: 0.5 }],
  [": stdout: Invalid input", passed({ stdout: null })],
  [": stdout_bytes: Too small", passed({ stdout_bytes: -1 })],
  [": started_at: Invalid ISO datetime", passed({ started_at: "yesterday" })],
  [": duration_ms: Too small", passed({ duration_ms: -1 })],
  [": truncated: Invalid input", passed({ truncated: "no" })],
  ...[null, 42, "passed", [], [passed()], true].map((value): [string, unknown] => [": Invalid input", value]),
])("the results before one that does not fit the plan are kept: step_results.1%s", (issue, second) => {
  const read = readOf(passed(), second, passed());
  expect(read.results).toMatchObject([{ index: 4, status: "passed" }]);
  expect(read.issue?.slice(0, 14 + issue.length)).toBe(`step_results.1${issue}`);
});

test("no result follows a step that did not pass, and none is of a step that was not submitted", () => {
  const after = readOf({ exit_code: 1 }, passed());
  expect([after.results.length, after.issue]).toEqual([1, "step_results.1 follows a step that did not pass"]);
  const more = readOf(passed(), passed(), passed(), passed(), passed());
  expect([more.results.length, more.issue]).toEqual([4, "step_results.4 is for no submitted step"]);
});

describe("output", () => {
  test("loses its NUL characters, its half characters and its secrets", () => {
    const [result] = readOf(passed({ stdout: "a\0b\ud800c", stderr: `with ${SECRET} in it` })).results;
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
    for (let shift = 1; shift < SECRET.length; shift += 1) {
      const long = "x".repeat(100_000);
      const edge = "y".repeat(32_768 - shift);
      const { text } = kept(side === "head" ? edge + SECRET + long : long + SECRET + edge, redact);
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

describe("the looks of a report", () => {
  const found = { answer: "red", exit_code: 1, reason: null, duration_ms: 3, printed: "one" };
  const look = (step_index: number, over: object = {}) => ({ step_index, ...found, ...over });
  const looksIn = (reported: unknown, over: Partial<StepRange> = {}) =>
    reportedLooks(reported, { ...RANGE, first_index: 0, look_at: [1, 2], ...over }, redact);

  test("count where they were asked for, each once, in the order of the report, by the index in the plan", () => {
    expect(looksIn([look(2), look(1), look(2, { answer: "green" })])).toEqual([look(2), look(1)]);
    expect(looksIn([look(1)], { first_index: 3, look_at: [4] })).toEqual([look(4)]);
  });

  test("are none where there are none, or one of them is no look", () => {
    for (const none of [undefined, null, [], {}, "looks", [look(0)], [look(7)]]) expect(looksIn(none)).toBeNull();
    expect(looksIn([look(1)], { look_at: undefined })).toBeNull();
    for (const wrong of [null, look(1, { answer: "blue" }), look(1, { printed: "x".repeat(4097) }), look(-1)])
      expect(looksIn([look(2), wrong])).toBeNull();
  });

  test("have a secret in no reason, and a text with one is handed to no check", () => {
    const hidden = look(1, { printed: `a ${SECRET}`, reason: `it was ${SECRET}\0` });
    const looks = looksIn([hidden, look(2, { printed: "a\0b" })]);
    expect(looks).toMatchObject([{ printed: null, reason: "it was [redacted]" }, { printed: null }]);
    const [long] = looksIn([look(1, { reason: "x".repeat(1000), printed: null })]) ?? [];
    expect([long?.reason?.length, long?.printed]).toEqual([200, null]);
  });
});
