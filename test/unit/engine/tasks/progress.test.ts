// Where a plan continues by its journal, and whether a job of it may still run.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Job, JobEnd } from "../../../../src/domain/run-request.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { progressOf, stepInFlight, stopOpenJob } from "../../../../src/engine/tasks/progress.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import type { ExecutionBackend } from "../../../../src/ports.ts";
import { AT, aContract, aResult, check, cmd, journalOf, mcpCall, wait } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";

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

    test("finds it again when it was handed over and has not ended", () => {
      expect(at(handed)).toEqual({ is: "ready", index: 0, attempt: 1, started_at: AT, job });
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
});

const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 2, engine: "e" };
const { job_id } = job;
const HANDED: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1, job } };
const ended = (code: JobEnd["code"]): NewEvent => ({
  kind: "job_ended",
  body: { job_id, code, message: "", raw_result: null },
});

/** What becomes of the job on an engine that answers like this; undefined: on a backend that knows no jobs. */
async function stopping(answer: string | null | undefined, ...events: NewEvent[]) {
  const asked: Job[] = [];
  const cancelJob = async (one: Job) => {
    asked.push(one);
    return answer ?? null;
  };
  const { backend } = pipelineParts({ remote: true });
  const engine: ExecutionBackend = answer === undefined ? backend : { ...backend, cancelJob };
  const stop = await stopOpenJob(() => engine, aContract(), projection(journalOf(...events)));
  return { stop, asked };
}

describe("the open job of a task that ends", () => {
  test.each<[string, NewEvent[]]>([
    ["no job was submitted", [{ kind: "step_started", body: { index: 0, attempt: 1 } }]],
    ["the last job has ended", [HANDED, ended("passed")]],
  ])("is none when %s, and the engine is not asked", async (_what, events) => {
    expect(await stopping(null, ...events)).toEqual({ stop: null, asked: [] });
  });

  test("may still run when its engine is gone", async () => {
    const stop = { job_id, refusal: "there is no flow engine any more" };
    expect(await stopping(undefined, HANDED)).toEqual({ stop, asked: [] });
    expect(await stopOpenJob(() => null, aContract(), projection(journalOf(HANDED)))).toEqual(stop);
  });
});
