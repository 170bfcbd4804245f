// The steps of a procedure and the jobs that ran them, as the journal records them.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { JobEnd } from "../../../../src/domain/run-request.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { stepResultsOf } from "../../../../src/engine/tasks/steps-fold.ts";
import { openJobOf } from "../../../../src/features/flow-engine/fold.ts";
import { AT, aResult, check, cmd, journalOf, mcpCall, wait } from "../../../support/builders.ts";

const LATER = "2026-03-06T10:00:00.000Z";
const job = { job_id: "0190a1b2-0000-7000-8000-000000000001", through: 2, engine: "e" };

const started = (index: number, attempt = 1, given?: typeof job): NewEvent => ({
  kind: "step_started",
  body: { index, attempt, ...(given && { job: given }) },
});
const finished = (index: number, over: Parameters<typeof aResult>[0] = {}): NewEvent => ({
  kind: "step_finished",
  body: aResult({ index, ...over }),
});
const resolved = (resolution: "succeeded" | "failed" | "retry", reason: string | null = null): NewEvent => ({
  kind: "step_resolved",
  body: { index: 0, attempt: 1, resolution, reason },
});
const ended = (code: JobEnd["code"], { job_id } = job): NewEvent => ({
  kind: "job_ended",
  body: { job_id, code, message: "why", raw_result: null },
});

const stepsAfter = (...events: NewEvent[]) => projection(journalOf(...events)).steps;
const jobsAfter = (...events: NewEvent[]) => projection(journalOf(...events)).jobs;
const resultsAfter = (plan: readonly Step[], ...events: NewEvent[]) => stepResultsOf(stepsAfter(...events), plan);

describe("the steps of a task", () => {
  test("have passed up to the first one that has not", () => {
    const both = [started(0), finished(0), started(1), finished(1)];
    expect(stepsAfter(...both).passed).toBe(2);
    expect(stepsAfter(...both.slice(2)).passed).toBe(0);
    expect(stepsAfter(...both.slice(2), ...both.slice(0, 2)).passed).toBe(2);
    expect(stepsAfter(...both, started(0, 2)).passed).toBe(0);
    expect(stepsAfter(...both, started(0, 2), finished(0, { attempt: 2 })).passed).toBe(2);
  });
});

describe("the record of a step", () => {
  test("keeps the first start of an attempt that a stop interrupted, and no other attempt's", () => {
    const startsOf = (attempt: number) => {
      const [first] = journalOf(started(0));
      const [, again] = journalOf(started(0), started(0, attempt)).map((event) => ({ ...event, at: LATER }));
      const { records } = projection([first, again].filter((event) => event !== undefined)).steps;
      return records.get(0);
    };
    expect(startsOf(1)).toMatchObject({ attempt: 1, started_at: AT, restarted_at: LATER });
    expect(startsOf(2)).toMatchObject({ attempt: 2, started_at: LATER, restarted_at: LATER });
  });
});

describe("the results of the steps", () => {
  test("are in the order of the plan, whichever started first", () => {
    const events = [2, 0, 1].flatMap((index) => [started(index), finished(index)]);
    expect(resultsAfter([cmd("a"), cmd("b"), cmd("c")], ...events).map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test.each([
    ["command", cmd("a"), "cmd"],
    ["check", check("a"), "check"],
    ["wait", wait("1s"), "wait"],
    ["tool call", mcpCall(), "mcp_call"],
    ["step that is not in the plan", undefined, "cmd"],
  ] as const)("have an unknown outcome for a %s without an end", (_what, step, kind) => {
    const plan = step === undefined ? [] : [step];
    expect(resultsAfter(plan, started(0, 2))).toMatchObject([
      { index: 0, attempt: 2, kind, status: "outcome_unknown", started_at: AT },
    ]);
  });

  test.each([
    ["succeeded", "passed", null, "resolved by the supervisor as succeeded"],
    ["failed", "failed", "it is down", "resolved by the supervisor as failed: it is down"],
    ["retry", "outcome_unknown", "nothing was sent", "resolved by the supervisor as retry: nothing was sent"],
  ] as const)("say that the supervisor settled a step as %s, and why", (resolution, status, reason, stderr) => {
    expect(resultsAfter([cmd("a")], started(0), resolved(resolution, reason))).toMatchObject([{ status, stderr }]);
  });
});

describe("the job of a task", () => {
  test.each([
    ["passed", "ended", null],
    ["step_failed", "ended", null],
    ["lost", "lost", null],
    ["flow_crashed", "ended", "flow_crashed"],
    ["engine_unreachable", "not_accepted", "engine_unreachable"],
  ] as const)("that ends with %s is %s", (code, state, failure) => {
    const jobs = jobsAfter(started(0, 1, job), ended(code));
    expect(jobs.last).toEqual({ job, first_index: 0, state, seen: false });
    expect(jobs.ends).toMatchObject([{ job_id: job.job_id, code }]);
    expect(jobs.failure?.code ?? null).toBe(failure);
    expect(openJobOf(jobs)).toEqual(state === "lost" ? jobs.last : null);
  });
});
