import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { JobEnd } from "../../../../src/domain/run-request.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { hasStarted, progressOf, stepInFlight } from "../../../../src/engine/tasks/progress.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { stepResultsOf } from "../../../../src/engine/tasks/steps-fold.ts";
import { AT, aResult, check, cmd, journalOf, mcpCall, wait } from "../../../support/builders.ts";

const started = (index: number, attempt = 1): NewEvent => ({ kind: "step_started", body: { index, attempt } });
const finished = (index: number, status: "passed" | "failed" | "outcome_unknown", attempt = 1): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, status, attempt, exit_code: status === "passed" ? 0 : 1 }),
});
const retry = (index: number): NewEvent => ({ kind: "retry_granted", body: { index } });
const resolved = (index: number, resolution: "succeeded" | "failed" | "retry"): NewEvent => ({
  kind: "step_resolved",
  body: { index, attempt: 1, resolution, reason: null },
});

const stateOf = (...events: NewEvent[]) => projection(journalOf(...events));

describe("the progress that is read from the journal", () => {
  const steps = [cmd("a"), check("b"), cmd("c")];
  const at = (...events: NewEvent[]) => progressOf(stateOf(...events), steps);

  test("begins with the first step", () => expect(at()).toEqual({ is: "ready", index: 0, attempt: 1 }));

  test("never repeats a finished step", () => {
    expect(at(started(0), finished(0, "passed"))).toEqual({ is: "ready", index: 1, attempt: 1 });
  });

  test("has an unknown outcome for a command that was started and not finished", () => {
    expect(at(started(0))).toEqual({ is: "outcome_unknown", index: 0, attempt: 1 });
  });

  test("has an unknown outcome for a call that ended without an answer, until the supervisor resolves it", () => {
    const call = [started(0), finished(0, "outcome_unknown")];
    expect(at(...call)).toEqual({ is: "outcome_unknown", index: 0, attempt: 1 });
    expect(at(...call, resolved(0, "succeeded"))).toEqual({ is: "ready", index: 1, attempt: 1 });
    expect(at(...call, resolved(0, "retry"))).toEqual({ is: "ready", index: 0, attempt: 2 });
    expect(at(...call, resolved(0, "failed"))).toMatchObject({ is: "broken", settled: true });
  });

  test("repeats a check after a stop, unless policy knows that it changes something: promises 5.5", () => {
    const asked = (step_index: number): NewEvent => ({
      kind: "policy_judged",
      body: {
        findings: [
          { step_index, verdict: "ask", code: "read_only.changes_state", reason: "r", command: null, category: null },
        ],
      },
    });
    const run = [started(0), finished(0, "passed"), started(1)];
    expect(at(...run)).toMatchObject({ is: "ready", index: 1, attempt: 1 });
    expect(at(asked(0), ...run)).toMatchObject({ is: "ready", index: 1, attempt: 1 });
    expect(at(asked(1), ...run)).toEqual({ is: "outcome_unknown", index: 1, attempt: 1 });
    expect(stepInFlight(stateOf(asked(1), ...run))).toEqual({ index: 1, attempt: 1 });
  });

  test("repeats a call that its server lets be repeated when its end was not recorded", () => {
    const call: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, repeatable: true } };
    expect(progressOf(stateOf(call), [mcpCall()])).toMatchObject({ is: "ready", index: 0, attempt: 1 });
    expect(progressOf(stateOf(started(0)), [mcpCall()])).toMatchObject({ is: "outcome_unknown" });
  });

  test("repeats a check that was started and not finished", () => {
    const events = [started(0), finished(0, "passed"), started(1)];
    expect(at(...events)).toEqual({ is: "ready", index: 1, attempt: 1, started_at: AT });
  });

  test("repeats a check, a wait, and a call that may be repeated, however often servers stopped in it", () => {
    const by = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: true, crashed: true } });
    const call: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, repeatable: true } };
    const reached = (step: Step, start: NewEvent) =>
      progressOf(stateOf(by("a"), start, by("b"), start, by("c"), start, by("d")), [step]).is;
    expect([reached(check("a"), started(0)), reached(wait("1h"), started(0))]).toEqual(["ready", "ready"]);
    expect([reached(mcpCall(), call), reached(mcpCall(), started(0))]).toEqual(["ready", "outcome_unknown"]);
  });

  test("keeps when an interrupted wait began, however often", () => {
    const first = journalOf(started(0));
    const later = first.map((event) => ({ ...event, seq: 2, at: "2026-03-06T10:00:00.000Z" }));
    expect(progressOf(projection([...first, ...later]), [wait("1h")])).toMatchObject({ is: "ready", started_at: AT });
  });

  describe("with a job", () => {
    const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 2, engine: "e" };
    const handed: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, job } };
    const ended = (code: JobEnd["code"]): NewEvent => ({
      kind: "job_ended",
      body: { job_id: job.job_id, code, message: "why", raw_result: null },
    });
    const passed = [0, 1, 2].flatMap((index) => [
      ...(index === 0 ? [handed] : [started(index)]),
      finished(index, "passed"),
    ]);

    test("finds it again when it was handed over and has not ended", () => {
      expect(at(handed)).toEqual({ is: "ready", index: 0, attempt: 1, started_at: AT, job });
    });

    test("follows its steps when it has ended", () => {
      expect(at(...passed, ended("passed"))).toEqual({ is: "completed" });
      const broken = [handed, finished(0, "passed"), started(1), finished(1, "failed"), ended("step_failed")];
      expect(at(...broken)).toEqual({ is: "broken", index: 1, attempt: 1, settled: false });
      expect(at(...broken, retry(1))).toEqual({ is: "ready", index: 1, attempt: 2 });
    });

    test("leaves nothing to classify when it has failed although every step passed [3.rule.6]", () => {
      expect(at(...passed, ended("flow_not_ok"))).toEqual({ is: "broken", index: 2, attempt: 1, settled: true });
      expect(stateOf(...passed, ended("flow_not_ok")).jobs.failure).toMatchObject({ code: "flow_not_ok" });
    });

    test("is broken at the last step's last attempt when it has failed although every step passed", () => {
      const repeated = [...passed, retry(2), started(2, 2), finished(2, "passed", 2)];
      expect(at(...repeated, ended("flow_not_ok"))).toMatchObject({ is: "broken", index: 2, attempt: 2 });
    });

    test("is broken at its beginning when it has failed without a step", () => {
      const failed = stateOf(ended("flow_crashed"));
      expect(progressOf(failed, [])).toEqual({ is: "broken", index: 0, attempt: 1, settled: true });
    });

    test("leaves the outcome of a check unknown when it was lost", () => {
      const lost = [handed, finished(0, "passed"), started(1), finished(1, "outcome_unknown"), ended("lost")];
      expect(at(...lost)).toEqual({ is: "outcome_unknown", index: 1, attempt: 1 });
    });

    test("is settled by the supervisor when it was lost", () => {
      const lost = [handed, finished(0, "outcome_unknown"), ended("lost")];
      expect(at(...lost)).toEqual({ is: "outcome_unknown", index: 0, attempt: 1 });
      expect(at(...lost, resolved(0, "succeeded"))).toEqual({ is: "ready", index: 1, attempt: 1 });
      expect(stateOf(...lost).jobs.failure).toBeNull();
    });

    test("makes another one when a step of a failed one runs again, and the failure is past", () => {
      const again = [handed, finished(0, "failed"), ended("engine_unreachable"), retry(0)];
      expect(at(...again)).toEqual({ is: "ready", index: 0, attempt: 2 });
      expect(stateOf(...again).jobs.failure).toBeNull();
    });
  });

  test("is broken after a failed step", () => {
    expect(at(started(0), finished(0, "failed"))).toEqual({ is: "broken", index: 0, attempt: 1, settled: false });
  });

  test("retries the failed step and no other after a grant", () => {
    const events = [started(0), finished(0, "passed"), started(1), finished(1, "failed"), retry(1)];
    expect(at(...events)).toEqual({ is: "ready", index: 1, attempt: 2 });
  });

  test.each([
    ["succeeded", { is: "ready", index: 1, attempt: 1 }],
    ["failed", { is: "broken", index: 0, attempt: 1, settled: true }],
    ["retry", { is: "ready", index: 0, attempt: 2 }],
  ] as const)("continues as the resolution %s says", (resolution, expected) => {
    expect(at(started(0), resolved(0, resolution))).toEqual(expected);
  });

  test("is completed when all steps passed", () => {
    const all = [0, 1, 2].flatMap((index) => [started(index), finished(index, "passed")]);
    expect(at(...all)).toEqual({ is: "completed" });
  });
});

test("a started step without an end shows as outcome_unknown in the results", () => {
  expect(stepResultsOf(stateOf(started(0)).steps, [cmd("a")])).toMatchObject([{ index: 0, status: "outcome_unknown" }]);
});

test("a resolved step says by whom", () => {
  const [result] = stepResultsOf(stateOf(started(0), resolved(0, "succeeded")).steps, [cmd("a")]);
  expect(result).toMatchObject({ status: "passed", stderr: "resolved by the supervisor as succeeded" });
});

test("nothing has started before the first step_started", () => {
  expect(hasStarted(stateOf())).toBe(false);
  expect(hasStarted(stateOf(started(0)))).toBe(true);
});
