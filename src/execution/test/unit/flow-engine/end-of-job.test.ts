// What each end of a job means for its steps and for the task. A job passes only if the engine, the flow and every step
// report success.
import { describe, expect, test } from "vitest";
import { AT, check, cmd, wait } from "../../../../../test/support/builders.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { type Ended, endOfJob } from "../../../flow-engine/end-of-job.ts";
import type { StepLine } from "../../../flow-engine/follow-job.ts";

const STEPS = [cmd("up"), wait("1s"), check("served")];
const range = { steps: STEPS, first_index: 2, attempt: 3, started_at: AT };
const redact = createRedactor(["hunter2-hunter2"]);

type Outcome = Parameters<typeof endOfJob>[0];
const endOf = (outcome: Outcome, lines: readonly StepLine[] = []) => endOfJob(outcome, { range, lines, redact });
const completed = (result: unknown, success?: boolean): Outcome => ({
  is: "completed",
  completion: { completed: true, result, ...(success !== undefined && { success }) },
  text: JSON.stringify({ completed: true, success, result }),
});
const passed = { status: "passed", exit_code: 0 };
const ALL = [passed, passed, passed];
const ran = (index: number, status: "passed" | "failed" | "outcome_unknown" = "passed"): StepLine => ({
  index,
  kind: STEPS[index]?.kind ?? "cmd",
  end: { status, exit_code: status === "passed" ? 0 : null, duration_ms: 5 },
});
const begun = (index: number): StepLine => ({ ...ran(index), end: null });
const statuses = ({ results }: Ended) => results.map(({ index, status }) => `${index} ${status}`);

describe("a job has passed", () => {
  test("when the engine counts it as a success, its flow is ok, and all its steps passed", () => {
    const end = endOf(completed({ ok: true, summary: "3 steps passed", step_results: ALL }, true));
    expect(end).toMatchObject({ code: "passed", message: "3 steps passed", raw_result: null });
    expect(statuses(end)).toEqual(["2 passed", "3 passed", "4 passed"]);
    expect(end.results.map(({ attempt }) => attempt)).toEqual([3, 1, 1]);
  });

  test.each([
    [false, /does not count the job as a success: all well$/],
    [undefined, /does not say whether the job succeeded: all well$/],
  ])("only when the engine calls it a success (%s), even if its flow is ok [3.rule.6]", (success, words) => {
    const report = { ok: true, summary: "all well", step_results: ALL };
    for (const result of [report, { error: report }, { error: { message: "stopped", result: report } }]) {
      const end = endOf(completed(result, success));
      expect(end).toMatchObject({
        code: "flow_not_ok",
        message: expect.stringMatching(words),
      });
      expect(statuses(end)).toEqual(["2 passed", "3 passed", "4 passed"]);
      expect(end.raw_result).toContain("all well");
    }
  });
});

describe("a flow that is not ok [3.rule.6] [7.5]", () => {
  test.each([true, false, undefined])("ends as step_failed when a step failed (success: %s)", (success) => {
    const step_results = [passed, { status: "failed", exit_code: 7, stderr: "no" }];
    const end = endOf(completed({ ok: false, summary: "step 1 failed", step_results }, success));
    expect(end).toMatchObject({ code: "step_failed", message: "step 1 failed", raw_result: null });
    expect(end.results).toMatchObject([{ status: "passed" }, { index: 3, exit_code: 7, stderr: "no" }]);
  });

  test("ends as flow_not_ok when every step passed", () => {
    const end = endOf(completed({ ok: false, summary: "the page is blank", step_results: ALL }, true));
    expect(end).toMatchObject({
      code: "flow_not_ok",
      message: "the flow returned ok: false: the page is blank",
      raw_result: expect.stringContaining("blank"),
    });
    expect(statuses(end)).toEqual(["2 passed", "3 passed", "4 passed"]);
  });

  test.each([[[]], [undefined], ["none"]])("fails its first step when it reports no step: %j", (step_results) => {
    const end = endOf(completed({ ok: false, summary: "not today", step_results }, true));
    expect(end.code).toBe("flow_not_ok");
    expect(end.results).toMatchObject([{ index: 2, status: "failed", stderr: expect.stringContaining("not today") }]);
  });

  test("ends as step_failed when a step has an unknown outcome", () => {
    const step_results = [{ status: "outcome_unknown" }];
    const end = endOf(completed({ ok: false, step_results }, true));
    expect(end.code).toBe("step_failed");
    expect(statuses(end)).toEqual(["2 outcome_unknown"]);
  });
});

describe("a flow that breaks its output contract", () => {
  test.each<[string, unknown]>([
    ...([42, null, {}, [], "done", true, { ok: "yes" }, { ok: null }] as const).map((result): [string, unknown] => [
      "has no ok that is true or false",
      result,
    ]),
    ["says ok, but reports 0 of 3 steps", { ok: true }],
    ["says ok, but reports 2 of 3 steps", { ok: true, step_results: [passed, passed] }],
    ["says ok although a step did not pass", { ok: true, step_results: [passed, passed, { exit_code: 1 }] }],
    ["says ok although a step did not pass", { ok: true, step_results: [{ status: "skipped" }] }],
    ["does not fit the steps: step_results.3 is for no submitted step", { ok: true, step_results: [...ALL, passed] }],
    [
      "does not fit the steps: step_results.0 says kind",
      { ok: false, step_results: [{ kind: "check", exit_code: 0 }] },
    ],
    ["does not fit the steps: step_results.0:", { ok: true, step_results: [null] }],
  ])("%s: %j", (words, result) => {
    const end = endOf(completed(result, true));
    expect(end).toMatchObject({ code: "flow_contract_broken", raw_result: expect.stringContaining("completed") });
    expect(end.message).toContain(`the flow broke its output contract: its result ${words}`);
    expect(end.raw_result).toContain(JSON.stringify(result));
    expect(end.results.length === 3 || end.results.at(-1)?.status !== "passed").toBe(true);
  });

  test("keeps the steps that fit, and the first that does not fit carries the fault", () => {
    const end = endOf(completed({ ok: true, step_results: [{ ...passed, stdout: "done" }, { index: 9 }] }, true));
    expect(end.results).toMatchObject([
      { index: 2, status: "passed", stdout: "done" },
      { index: 3, kind: "wait", attempt: 1, status: "failed", exit_code: null },
    ]);
    expect(end.results[1]?.stderr).toMatch(/^orch: the flow broke its output contract/);
  });

  test("takes the steps from the log when there is no report", () => {
    expect(statuses(endOf(completed(42, true), [begun(0), ran(0), begun(1)]))).toEqual(["2 passed", "3 failed"]);
  });

  test("keeps head and tail of its result, without secrets", () => {
    const end = endOf(completed({ said: `hunter2-hunter2 ${"x".repeat(300_000)} the end` }, true));
    expect(end.raw_result?.length).toBeLessThan(70_000);
    expect(end.raw_result).toMatch(
      /^\{"completed":true.*\[redacted\] x+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+ the end"\}\}$/,
    );
  });
});

describe("a job that ends without a report", () => {
  test.each<[string, unknown, string]>([
    ["flow_crashed", { error: { name: "TypeError", message: "x is undefined" } }, "TypeError: x is undefined"],
    ["flow_crashed", { error: { name: "ExecutionErr", message: "ExitCode: 137" } }, "ExitCode: 137"],
    ["flow_crashed", { error: {} }, "failed: Error"],
    ["flow_crashed", { error: "boom" }, "without a reason"],
    ["flow_crashed", null, "without a reason"],
    ["flow_crashed", 42, "without a reason"],
    ["flow_cancelled", { error: { name: "Canceled", message: "Job canceled: no by admin" } }, "no by admin"],
    ["flow_cancelled", { error: { name: "Error", message: "Job canceled: timeout by worker" } }, "timeout by worker"],
  ])("is %s: %j", (code, result, words) => {
    const end = endOf(completed(result, false), [begun(0), ran(0), begun(1)]);
    expect(end).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(end.raw_result).toContain(JSON.stringify(result));
    expect(end.results).toMatchObject([
      { index: 2, status: "passed", exit_code: 0, duration_ms: 5, truncated: true },
      { index: 3, status: "failed", exit_code: null, stderr: expect.stringContaining(words) },
    ]);
    expect(end.results[0]?.stderr).toContain("the output of this step is lost");
  });

  test("is cancelled also when its success is missing", () => {
    expect(endOf(completed({ error: { name: "Canceled", message: "no" } })).code).toBe("flow_cancelled");
  });

  test("keeps the logged steps when its result is too large", () => {
    const end = endOf({ is: "too_large", message: "its answer has more than 10 bytes" }, [ran(0), ran(1), ran(2)]);
    expect(end).toMatchObject({ code: "flow_result_too_large", raw_result: null });
    expect(end.message).toBe("flow engine: the result is too large: its answer has more than 10 bytes");
    expect(statuses(end)).toEqual(["2 passed", "3 passed", "4 passed"]);
  });

  test("fails its first step when the engine refuses the job", () => {
    const end = endOf({ is: "failed", code: "engine_refused", message: "flow engine: HTTP 401 hunter2-hunter2" });
    expect(end).toMatchObject({
      code: "engine_refused",
      raw_result: null,
      message: "flow engine: HTTP 401 [redacted]",
    });
    expect(end.results).toMatchObject([{ index: 2, attempt: 3, status: "failed", stderr: `orch: ${end.message}` }]);
  });

  test("has a short message without NUL, although the engine's is long", () => {
    const message = `no\0disk ${"x".repeat(5_000_000)}`;
    for (const result of [{ error: { name: "Error", message } }, { ok: false, summary: message }]) {
      const end = endOf(completed(result, false));
      expect(end.message).toContain("no disk x");
      expect(end.message.length).toBeLessThan(2_100);
      expect(end.results[0]?.stderr.length).toBeLessThan(2_200);
    }
  });
});

describe("a job that is lost", () => {
  const lost: Outcome = { is: "lost", message: "flow engine: there was no response about the job" };

  test.each<[string, StepLine[], string[]]>([
    ["its first step", [], ["2 outcome_unknown"]],
    ["the first step without a logged end", [begun(0), ran(0), begun(1)], ["2 passed", "3 outcome_unknown"]],
    [
      "the last step, though its log says that it passed",
      [0, 1, 2].map((index) => ran(index)),
      ["2 passed", "3 passed", "4 outcome_unknown"],
    ],
  ])("leaves in doubt %s", (_what, lines, expected) => {
    const end = endOf(lost, lines);
    expect(end).toMatchObject({ code: "lost", raw_result: null });
    expect(statuses(end)).toEqual(expected);
    expect(end.results.at(-1)?.stderr).toContain("there was no response about the job");
  });

  test.each(["failed", "outcome_unknown"] as const)("leaves no doubt about a step that its log calls %s", (status) => {
    expect(statuses(endOf(lost, [ran(0), ran(1, status)]))).toEqual(["2 passed", `3 ${status}`]);
  });

  test("says that later steps may have run, when there are any", () => {
    const stderrOf = (lines: StepLine[]) => endOf(lost, lines).results.at(-1)?.stderr;
    expect(stderrOf([ran(0)])).toContain("later steps may have run too");
    expect(stderrOf([ran(0), ran(1)])).not.toContain("later steps");
  });

  test.each<[string, StepLine[]]>([
    ["of another kind", [{ ...ran(0), kind: "check" }]],
    ["out of order", [ran(1)]],
    ["of a step that is not there", [{ ...ran(0), index: 7 }]],
  ])("ignores a line %s", (_what, lines) => {
    expect(statuses(endOf(lost, lines))).toEqual(["2 outcome_unknown"]);
  });

  test("ignores a line after a step that did not pass", () => {
    expect(statuses(endOf(lost, [ran(0), ran(1, "failed"), ran(2)]))).toEqual(["2 passed", "3 failed"]);
  });

  test("keeps the first end of a step that its log reports twice", () => {
    const again: StepLine = { ...ran(0, "failed"), end: { status: "failed", exit_code: 1, duration_ms: 1 } };
    expect(statuses(endOf(lost, [ran(0), again, begun(1)]))).toEqual(["2 passed", "3 outcome_unknown"]);
  });
});
