// Before orch submits the next job of a task it reconciles the last one: unknown to the engine, lost, or not accepted.
// Nothing that the last job has run is run again.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { refuses } from "../../simulators/flow-engine/faults.ts";
import type { Ending } from "../../simulators/flow-engine/jobs.ts";
import { check, cmd } from "../../support/builders.ts";
import { lastJob, runnerOn, startEngineRun } from "../../support/engine-run.ts";
import { text } from "../../support/request-recorder.ts";

const passed = (index: number, kind = "cmd") => ({ index, kind, status: "passed", exit_code: 0 });
const PASSED: Ending = {
  success: true,
  result: { ok: true, summary: "2 steps passed", step_results: [passed(0), passed(1, "check")] },
};
const STEPS = [cmd("true"), check("test -d /")];

describe("a job on record that the engine does not know", () => {
  const job_id = randomUUID();
  const found = async (age_ms: number, over: Parameters<typeof lastJob>[3] = {}) => {
    const it = await startEngineRun();
    it.engine.give(() => PASSED);
    const started_at = new Date(Date.now() - age_ms).toISOString();
    return { ...it, output: await it.run(STEPS, { last_job: lastJob(it.engine, job_id, STEPS, over), started_at }) };
  };

  test("is submitted under its id when it is recent, because it never arrived", async () => {
    await using it = await found(1_000);
    expect(it.output).toMatchObject({ ok: true });
    expect(it.engine.jobs.map(({ id }) => id)).toEqual([job_id]);
  });

  test.each([
    ["may have been deleted when it is old", 3_600_000, {}],
    ["may be older than it looks when the clock was set back", -3_600_000, {}],
    ["was there when it has been heard of", 1_000, { seen: true }],
  ])("%s, so that the supervisor is asked", async (_what, age_ms, over) => {
    await using it = await found(age_ms, over);
    expect(it.told).toEqual(["0 outcome_unknown null", "ended lost"]);
    expect(it.engine.counts().run_requests).toBe(0);
  });

  test("is neither looked up nor submitted on another engine than its own", async () => {
    await using it = await startEngineRun();
    const last_job = lastJob({ url: "http://other:8000", workspace: "lab" }, job_id, STEPS);
    await it.run(STEPS, { last_job, started_at: new Date().toISOString() });
    expect(it.end()).toMatchObject({ code: "lost", message: expect.stringContaining("http://other:8000 lab") });
    expect(it.engine.requests).toEqual([]);
  });
});

describe("before another job is submitted, the lost one is looked up again", () => {
  const THREE = [cmd("true"), cmd("true"), check("test -d /")];
  const of = (...statuses: string[]) =>
    statuses.map((status, index) => ({ index, status, exit_code: status === "passed" ? 0 : 1 }));
  const report = (ok: boolean, ...statuses: string[]): Ending => ({
    success: true,
    result: { ok, summary: "", step_results: of(...statuses) },
  });

  /** Runs the steps from `first_index` on after a lost job with this ending; null is a job that the engine forgot. */
  async function after(ending: Ending | null, first_index: number, attempt: number) {
    const it = await startEngineRun();
    it.engine.give(() => ending ?? report(true, "passed", "passed", "passed"), 1);
    it.engine.give(() => report(true, ...THREE.slice(first_index).map(() => "passed")));
    await it.run(THREE);
    const [{ id = "" } = {}] = it.engine.jobs;
    if (ending === null) it.engine.forget(id);
    const next = runnerOn(it.engine);
    const last_job = lastJob(it.engine, id, THREE, { state: "lost" });
    await next.run(THREE.slice(first_index), { first_index, attempt, last_job });
    await next.close();
    return { ...it, told: next.told, jobs: () => it.engine.counts().accepted - 1 };
  }

  test.each<[string, Ending | null, readonly [number, number], readonly string[], number]>([
    [
      "it has run all: nothing is run",
      report(true, "passed", "passed", "passed"),
      [1, 1],
      ["1 passed 0", "2 passed 0", "ended passed"],
      0,
    ],
    [
      "it has failed behind: that is the result",
      report(false, "passed", "failed"),
      [1, 1],
      ["1 failed 1", "ended step_failed"],
      0,
    ],
    [
      "it has failed where a retry is wanted: that is run",
      report(false, "failed"),
      [0, 2],
      ["ended step_failed", "started 0/2 through 2"],
      1,
    ],
    [
      "it has passed where a retry is wanted: that counts",
      report(true, "passed", "passed", "passed"),
      [0, 2],
      ["0 passed 0", "1 passed 0", "2 passed 0", "ended passed"],
      0,
    ],
    [
      "it was cancelled, and nothing tells where: the supervisor is asked",
      { success: false, result: { error: { name: "Canceled", message: "Job canceled" } } },
      [1, 1],
      ["1 outcome_unknown null", "ended lost"],
      0,
    ],
    [
      "the flow says that it is not ok, and nothing of its steps: the supervisor is asked",
      { success: true, result: { ok: false, summary: "no" } },
      [1, 1],
      ["1 outcome_unknown null", "ended lost"],
      0,
    ],
    [
      "it has failed in an earlier step: the rest is run",
      report(false, "failed"),
      [1, 1],
      ["ended step_failed", "started 1/1 through 2"],
      1,
    ],
    ["the engine does not know it, nor ever did: the rest is run", null, [1, 1], ["started 1/1 through 2"], 1],
  ])("%s", async (_what, ending, [first_index, attempt], told, jobs) => {
    await using it = await after(ending, first_index, attempt);
    expect(it.told.slice(0, told.length)).toEqual(told);
    expect(it.jobs()).toBe(jobs);
  });

  test("the engine has forgotten a job that it has reported: the supervisor is asked", async () => {
    await using it = await startEngineRun();
    const last_job = lastJob(it.engine, randomUUID(), THREE, { state: "lost", seen: true });
    await it.run(THREE.slice(1), { first_index: 1, last_job });
    expect(it.told).toEqual(["1 outcome_unknown null", "ended lost"]);
  });

  test("the engine fails every request: nothing is run, and the supervisor is asked again", async () => {
    await using it = await startEngineRun();
    it.engine.fault("any", refuses(text("boom", 500)));
    const last_job = lastJob(it.engine, randomUUID(), THREE, { state: "lost" });
    await it.run(THREE.slice(1), { first_index: 1, last_job });
    expect(it.told).toEqual(["1 outcome_unknown null", "ended lost"]);
    expect(it.engine.counts()).toMatchObject({ accepted: 0, run_requests: 0 });
  });

  test("it still runs: orch waits for it", async () => {
    await using it = await startEngineRun();
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    it.engine.give(() => until.then(() => PASSED));
    const output = it.run(STEPS);
    await expect.poll(() => it.engine.jobs.length).toBe(1);
    it.leave();
    await output;
    setTimeout(letGo, 100);
    const next = runnerOn(it.engine);
    const last_job = lastJob(it.engine, it.engine.jobs[0]?.id ?? "", STEPS, { state: "lost" });
    expect(await next.run(STEPS, { last_job })).toMatchObject({ ok: true });
    await next.close();
    expect(it.engine.counts().accepted).toBe(1);
  });
});

test("an id that the engine has not accepted is used again, so that a late request runs nothing twice", async () => {
  await using it = await startEngineRun();
  it.engine.give(() => PASSED);
  const job_id = randomUUID();
  const last_job = lastJob(it.engine, job_id, STEPS, { state: "not_accepted" });
  expect(await it.run(STEPS, { attempt: 2, last_job })).toMatchObject({ ok: true });
  expect(it.told[0]).toBe("started 0/2 through 1");
  expect(it.engine.jobs.map(({ id }) => id)).toEqual([job_id]);
});
