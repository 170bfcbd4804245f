// Finds the flow's report in the result of a job, and the engine's own error of a failed job.
import { describe, expect, test } from "vitest";
import { faultIn, isCancelled, reportIn } from "../../../flow-engine/end-of-job.ts";

const REPORT = { ok: false, summary: "step 0 failed", step_results: [{ index: 0 }] };

describe("a report is found", () => {
  test.each<[string, unknown]>([
    ["as the result", REPORT],
    ["as the error of a result that calls itself a failure", { error: REPORT }],
    ["in the error of a flow that was stopped early", { error: { name: "Stopped", message: "m", result: REPORT } }],
    ["with additional fields", { ...REPORT, wm_labels: ["x"], windmill_failure: "why" }],
  ])("%s", (_where, result) => {
    expect(reportIn(result, false)).toMatchObject(REPORT);
  });

  test("at the position nearest to the result", () => {
    expect(reportIn({ ...REPORT, error: { ok: true, result: { ok: true } } }, false)).toMatchObject({ ok: false });
    expect(reportIn({ error: { ok: false, result: { ok: true } } }, false)).toMatchObject({ ok: false });
  });

  test("only as the result itself in a completion that the engine calls a success", () => {
    expect(reportIn(REPORT, true)).toMatchObject(REPORT);
    expect(reportIn({ error: REPORT }, true)).toBeNull();
    expect(reportIn({ error: { message: "m", result: REPORT } }, true)).toBeNull();
  });

  test("although its summary and its step results are of other types", () => {
    expect(reportIn({ ok: true }, false)).toMatchObject({ ok: true, summary: "" });
    expect(reportIn({ ok: true, summary: 7, step_results: "none" }, false)).toEqual({
      ok: true,
      summary: "",
      step_results: undefined,
    });
  });
});

test.each<unknown>([
  ...[null, undefined, 42, "ok", true, [], [{ ok: true }], {}, { ok: "yes" }, { ok: null }, { ok: 1 }],
  ...[{ error: null }, { error: "boom" }, { error: [] }, { error: { result: null } }, { error: { ok: "true" } }],
  ...[{ result: REPORT }, { error: { error: REPORT } }, { error: { result: { result: REPORT } } }],
])("no report is found in %j", (result) => {
  expect(reportIn(result, false)).toBeNull();
  expect(reportIn(result, true)).toBeNull();
});

describe("the engine's error of a failed job", () => {
  test("is a name and a message, with defaults for missing ones", () => {
    expect(faultIn({ error: { name: "TypeError", message: "x", stack: "at" } })).toEqual({
      name: "TypeError",
      message: "x",
    });
    expect(faultIn({ error: {} })).toEqual({ name: "Error", message: "" });
    expect(faultIn({ error: { name: 7, message: null } })).toEqual({ name: "Error", message: "" });
  });

  test.each<unknown>([null, 42, "boom", {}, { error: "boom" }, { error: null }])("is null for %j", (result) => {
    expect(faultIn(result)).toBeNull();
  });

  test.each([
    ["Canceled", "", true],
    ["ExecutionErr", "Job canceled: timeout by worker", true],
    ["Error", "the canceled job", false],
    ["canceled", "", false],
  ])("with the name %j and the message %j means cancelled: %s", (name, message, cancelled) => {
    expect(isCancelled({ name, message })).toBe(cancelled);
  });
});
