// Decides what each end of a job means for its steps and the task. A job passes only if the engine, the flow and every step report success, and
// none of its steps counts as still to run, because orch would run it twice.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT, aResult, check, cmd, journalOf, wait } from "../../../../../test/support/builders.ts";
import type { NewEvent } from "../../../../domain/journal.ts";
import { isJobFailure, JobEnd } from "../../../../domain/run-request.ts";
import { StepResult } from "../../../../domain/step.ts";
import { judge } from "../../../../domain/verification.ts";
import { progressOf } from "../../../../engine/tasks/progress.ts";
import { projection } from "../../../../engine/tasks/projection.ts";
import { stepResultsOf } from "../../../../engine/tasks/steps-fold.ts";
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
  text: JSON.stringify({ completed: true, success, result }) ?? "",
});

type Status = "passed" | "failed" | "outcome_unknown";
const line = (index: number, kind: StepLine["kind"], status: Status | null): StepLine => ({
  index,
  kind,
  end: status && { status, exit_code: status === "passed" ? 0 : null, duration_ms: 5 },
});
const ran = (index: number, status: Status | null = "passed") => line(index, STEPS[index]?.kind ?? "cmd", status);
const begun = (index: number) => ran(index, null);
const statuses = ({ results }: Ended) => results.map(({ status }) => status).join(" ");

const passed = { status: "passed", exit_code: 0 };
const ALL = [passed, passed, passed];
const fine = { ok: true, summary: "all well", step_results: ALL };
const blank = { ok: false, summary: "it is blank", step_results: ALL };
const failed = { ok: false, summary: "step 1 failed", step_results: [passed, { status: "failed", exit_code: 7 }] };
const WHOLE = "passed passed passed";

describe("a report [3.rule.6] [7.5]", () => {
  test.each<[string, unknown, boolean | undefined, Ended["code"], string, string]>([
    ["and an engine that say success", fine, true, "passed", "all well", WHOLE],
    ["that the engine calls no success", fine, false, "flow_not_ok", "not count the job as a success: all well", WHOLE],
    ["in the error of a failure", { error: fine }, false, "flow_not_ok", "as a success: all well", WHOLE],
    ["of a flow that was stopped early", { error: { result: fine } }, false, "flow_not_ok", "success: all well", WHOLE],
    ["without a word of the engine", fine, undefined, "flow_not_ok", "not say whether the job succeeded: all", WHOLE],
    ["in an error without a word", { error: fine }, undefined, "flow_not_ok", "succeeded: all well", WHOLE],
    ["with more fields", { ...failed, wm_labels: ["x"] }, true, "step_failed", "step 1 failed", "passed failed"],
    ["of a failed step in a failed job", failed, false, "step_failed", "step 1 failed", "passed failed"],
    ["of a failed step without a word", failed, undefined, "step_failed", "step 1 failed", "passed failed"],
    ["before the error beside it", { ...failed, error: fine }, false, "step_failed", "step 1 failed", "passed failed"],
    ["before the one in it", { error: { ...blank, result: fine } }, false, "flow_not_ok", "it is blank", WHOLE],
    ["that says no though every step passed", blank, true, "flow_not_ok", "returned ok: false: it is blank", WHOLE],
    ["of no step", { ...blank, step_results: [] }, true, "flow_not_ok", "it is blank", "failed"],
    ["without a list of steps", { ...blank, step_results: undefined }, true, "flow_not_ok", "it is blank", "failed"],
    ["whose list of steps is a text", { ...blank, step_results: "none" }, true, "flow_not_ok", "it is blank", "failed"],
    ["whose summary is no text", { ok: false, summary: 7 }, true, "flow_not_ok", "returned ok: false: ", "failed"],
    [
      "of an unknown outcome",
      { ok: false, step_results: [{ status: "outcome_unknown" }] },
      true,
      "step_failed",
      "",
      "outcome_unknown",
    ],
  ])("%s", (_what, result, success, code, words, expected) => {
    const end = endOf(completed(result, success));
    expect(end).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(statuses(end)).toBe(expected);
    expect(end.results.map(({ index, attempt }) => `${index}/${attempt}`)).toEqual(
      ["2/3", "3/1", "4/1"].slice(0, end.results.length),
    );
    const isRaw = code !== "passed" && code !== "step_failed";
    expect(end.raw_result).toEqual(isRaw ? expect.stringContaining(JSON.stringify(result)) : null);
  });
});

describe("a flow that breaks its output contract", () => {
  test.each<[string, unknown]>([
    ["has no ok that is true or false", { error: fine }],
    ["has no ok that is true or false", { error: { message: "m", result: fine } }],
    ["says ok, but reports 0 of 3 steps", { ok: true, summary: 7, step_results: "none" }],
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

  test("keeps head and tail of its result, without secrets", () => {
    const end = endOf(completed({ said: `hunter2-hunter2 ${"x".repeat(300_000)} the end` }, true));
    expect(end.raw_result?.length).toBeLessThan(70_000);
    expect(end.raw_result).toMatch(
      /^\{"completed":true.*\[redacted\] x+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+ the end"\}\}$/,
    );
  });
});

describe("without a report", () => {
  const NAMELESS = "the job failed: Error:";
  const reason = "without a reason";
  const cancelled = (name: string, message: string) => ({ error: { name, message } });

  test.each<[unknown, Ended["code"], string]>([
    ...[null, undefined, 42, "ok", [], [fine], {}, { ok: "yes" }, { ok: null }, { ok: 1 }, { result: fine }].map(
      (result): [unknown, Ended["code"], string] => [result, "flow_crashed", reason],
    ),
    [{ error: "boom" }, "flow_crashed", reason],
    [{ error: null }, "flow_crashed", reason],
    [{ error: {} }, "flow_crashed", NAMELESS],
    [{ error: { ok: "true" } }, "flow_crashed", NAMELESS],
    [{ error: { error: fine } }, "flow_crashed", NAMELESS],
    [{ error: { result: { result: fine } } }, "flow_crashed", NAMELESS],
    [{ error: { name: 7, message: null } }, "flow_crashed", NAMELESS],
    [
      { error: { name: "TypeError", message: "x is undefined", stack: "at" } },
      "flow_crashed",
      "TypeError: x is undefin",
    ],
    [cancelled("Error", "the canceled job"), "flow_crashed", "the canceled job"],
    [cancelled("canceled", "no"), "flow_crashed", "canceled: no"],
    [cancelled("Canceled", "no by admin"), "flow_cancelled", "flow engine: no by admin"],
    [cancelled("Error", "Job canceled: timeout by worker"), "flow_cancelled", "timeout by worker"],
  ])("a job that failed with %j is %s, and its log says what passed", (result, code, words) => {
    const end = endOf(completed(result, false), [begun(0), ran(0), begun(1)]);
    expect(end).toMatchObject({ code, message: expect.stringContaining(words) });
    if (result !== undefined) expect(end.raw_result).toContain(JSON.stringify(result));
    expect(end.results).toMatchObject([
      { index: 2, status: "passed", exit_code: 0, duration_ms: 5, truncated: true },
      { index: 3, status: "failed", exit_code: null, stderr: expect.stringContaining(words) },
    ]);
    expect(end.results[0]?.stderr).toContain("the output of this step is lost");
    const success = endOf(completed(result, true), [begun(0), ran(0), begun(1)]);
    const broken = code === "flow_crashed" ? "flow_contract_broken" : code;
    expect([success.code, statuses(success)]).toEqual([broken, "passed failed"]);
    if (code === "flow_crashed") expect(success.message).toContain("its result has no ok that is true or false");
  });

  test("a job is cancelled also when its success is missing", () => {
    expect(endOf(completed(cancelled("Canceled", "no"))).code).toBe("flow_cancelled");
  });

  test("a job keeps the logged steps when its result is too large", () => {
    const end = endOf({ is: "too_large", message: "its answer has more than 10 bytes" }, [ran(0), ran(1), ran(2)]);
    expect(end).toMatchObject({ code: "flow_result_too_large", raw_result: null });
    expect(end.message).toBe("flow engine: the result is too large: its answer has more than 10 bytes");
    expect(statuses(end)).toBe(WHOLE);
  });

  test("a job that the engine refuses fails its first step", () => {
    const end = endOf({ is: "failed", code: "engine_refused", message: "flow engine: HTTP 401 hunter2-hunter2" });
    const message = "flow engine: HTTP 401 [redacted]";
    expect(end).toMatchObject({ code: "engine_refused", raw_result: null, message });
    expect(end.results).toMatchObject([{ index: 2, attempt: 3, status: "failed", stderr: `orch: ${message}` }]);
  });

  test("a job has a short message without NUL, although the engine's is long", () => {
    const message = `no\0disk ${"x".repeat(5_000_000)}`;
    for (const result of [{ error: { name: "Error", message } }, { ok: false, summary: message }]) {
      const end = endOf(completed(result, false));
      expect(end.message).toContain("no disk x");
      expect(end.message.length).toBeLessThan(2_100);
      expect(end.results[0]?.stderr.length).toBeLessThan(2_200);
    }
  });
});

describe("a lost job leaves in doubt", () => {
  const later = "; later steps may have run too";
  test.each<[string, StepLine[], string, string]>([
    ["its first step", [], "outcome_unknown", later],
    ["the first step without a logged end", [begun(0), ran(0), begun(1)], "passed outcome_unknown", later],
    ["the last step, without later ones", [ran(0), ran(1)], "passed passed outcome_unknown", ""],
    ["the last step, though its log says passed", [ran(0), ran(1), ran(2)], "passed passed outcome_unknown", ""],
    ["nothing after a step that its log calls failed", [ran(0), ran(1, "failed"), ran(2)], "passed failed", ""],
    ["the step that its log says it of", [ran(0), ran(1, "outcome_unknown")], "passed outcome_unknown", ""],
    ["a step of another kind", [line(0, "check", "passed")], "outcome_unknown", later],
    ["a step out of order", [ran(1)], "outcome_unknown", later],
    ["a step that is not there", [line(7, "cmd", "passed")], "outcome_unknown", later],
    ["nothing of a step whose first end counts", [ran(0), ran(0, "failed"), begun(1)], "passed outcome_unknown", later],
  ])("%s", (_what, lines, expected, also) => {
    const end = endOf({ is: "lost", message: "flow engine: there was no response" }, lines);
    expect(end).toMatchObject({ code: "lost", raw_result: null });
    expect(statuses(end)).toBe(expected);
    const said = lines[1]?.end?.status ?? "passed";
    if (said === "passed") expect(end.results.at(-1)?.stderr).toBe(`orch: flow engine: there was no response${also}`);
  });
});

/** Two steps passed before the job was submitted. */
const PLAN = [cmd("a"), cmd("b"), ...STEPS];
const job_id = "0190a1b2-0000-7000-8000-000000000001";

/** The journal as the pipeline writes it. */
function journalAfter({ results, code, message, raw_result }: Ended) {
  const earlier = [0, 1].flatMap((index): NewEvent[] => [
    { kind: "step_started", body: { index, attempt: 1 } },
    { kind: "step_finished", body: aResult({ index }) },
  ]);
  const told = results.flatMap((body): NewEvent[] => {
    const { index, attempt } = body;
    const finished: NewEvent = { kind: "step_finished", body };
    return index === 2 ? [finished] : [{ kind: "step_started", body: { index, attempt } }, finished];
  });
  return journalOf(
    ...earlier,
    { kind: "step_started", body: { index: 2, attempt: 3, job: { job_id, through: 4, engine: "e" } } },
    ...told,
    { kind: "job_ended", body: { job_id, code, message, raw_result } },
  );
}

const kinds = fc.constantFrom("cmd", "wait", "check");
const anyStep = fc.oneof(
  fc.constant(passed),
  fc.record(
    {
      index: fc.nat(4),
      kind: kinds,
      status: fc.constantFrom("passed", "passed", "passed", "failed", "skipped", "outcome_unknown"),
      exit_code: fc.constantFrom(0, 0, 0, 1, null),
      stdout: fc.string(),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);
const soundSteps = fc
  .tuple(fc.nat(3), fc.constantFrom("passed", "failed", "skipped", "outcome_unknown"))
  .map(([length, status]) => [...Array(length).fill(passed), { status }].slice(0, STEPS.length));
const anySteps = fc.oneof(soundSteps, fc.array(anyStep, { maxLength: 5 }));
const anyReport = fc.record(
  { ok: fc.oneof(fc.constant(true), fc.constant(false), fc.anything()), summary: fc.string(), step_results: anySteps },
  { requiredKeys: [] },
);
const anyResult = fc.oneof(
  anyReport,
  anyReport.map((error) => ({ error })),
  anyReport.map((result) => ({ error: { name: "Error", message: "stopped", result } })),
  fc.record({ error: fc.record({ name: fc.constantFrom("Canceled", "Error"), message: fc.string() }) }),
  fc.anything(),
);
const completions = fc.tuple(anyResult, fc.constantFrom(true, false, undefined)).map(([r, s]) => completed(r, s));
const anyOutcome = fc.oneof(
  { weight: 6, arbitrary: completions },
  fc.tuple(fc.constantFrom("lost", "too_large"), fc.string()).map(([is, message]): Outcome => ({ is, message })),
  fc.string().map((message): Outcome => ({ is: "failed", code: "engine_unreachable", message })),
);
const anyStatus = fc.constantFrom("passed", "passed", "failed", "outcome_unknown", null);
const anyLog = fc.oneof(
  fc.array(
    fc.tuple(fc.nat(4), kinds, anyStatus).map((one) => line(...one)),
    { maxLength: 8 },
  ),
  fc.nat(3).map((length) => [0, 1, 2].slice(0, length).map((index) => ran(index))),
);

test("no step of an ended job is left to run, and a job passes only when all report success [3.rule.6]", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyOutcome, anyLog, (outcome, lines) => {
      const end = endOf(outcome, lines);
      const { code, message, raw_result, results } = end;
      seen.add(code);
      for (const result of results) expect(StepResult.parse(result)).toEqual(result);
      expect(JobEnd.parse({ job_id, code, message, raw_result })).toEqual({ job_id, code, message, raw_result });

      const state = projection(journalAfter(end));
      const { is } = progressOf(state, PLAN);
      expect(is).not.toBe("ready");
      const job_failure = state.jobs.failure?.code ?? null;
      expect(job_failure).toBe(isJobFailure(code) ? code : null);
      const told = stepResultsOf(state.steps, PLAN);
      const verdict = judge({ steps: PLAN, results: told, covers: [], success_criteria: [], job_failure });
      expect([is === "completed", verdict.passed]).toEqual([code === "passed", code === "passed"]);
      if (code === "passed") expect(outcome).toMatchObject({ completion: { success: true, result: { ok: true } } });
    }),
    { numRuns: 600, seed: 5 },
  );
  for (const code of ["passed", "step_failed", "lost", "flow_not_ok", "flow_contract_broken", "flow_crashed"]) {
    expect(seen, `${code} has been tried`).toContain(code);
  }
});
