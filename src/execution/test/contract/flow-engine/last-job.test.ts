// Before orch submits the next job of a task it reconciles the last one: unknown to the engine, lost, or not accepted. Nothing that the last
// job has run is run again. The reconcile command for a step of a lost job runs as a separate job (D-299).
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { refuses } from "../../../../../test/simulators/flow-engine/faults.ts";
import type { FlowEngine } from "../../../../../test/simulators/flow-engine/flow-engine.ts";
import type { Ending } from "../../../../../test/simulators/flow-engine/jobs.ts";
import { returns } from "../../../../../test/simulators/flow-engine/worker.ts";
import { aContract, check, cmd } from "../../../../../test/support/builders.ts";
import { text } from "../../../../../test/support/request-recorder.ts";
import { backendOn, goOn, lastJob, PASSED, PATIENT, STEPS, startEngineRun, startJob } from "./engine-run.ts";

type Over = Parameters<typeof lastJob>[3];

describe("a job on record that the engine does not know", () => {
  const job_id = randomUUID();
  const found = async (age_ms: number, over: Over = {}) => {
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
    it.engine.give(() => PASSED);
    const lost = { ...last_job, state: "lost" } as const;
    expect(await it.run(STEPS, { last_job: lost, attempt: 2 }), "a retry is wanted").toMatchObject({ ok: true });
  });

  test("is used again where the engine had not accepted it, so that a late request runs nothing twice", async () => {
    await using it = await startEngineRun();
    it.engine.give(() => PASSED);
    const last_job = lastJob(it.engine, job_id, STEPS, { state: "not_accepted" });
    expect(await it.run(STEPS, { attempt: 2, last_job })).toMatchObject({ ok: true });
    expect(it.told[0]).toBe("started 0/2 through 1");
    expect(it.engine.jobs.map(({ id }) => id)).toEqual([job_id]);
  });
});

describe("before another job is submitted, the lost one is looked up again", () => {
  const THREE = [cmd("true"), cmd("true"), check("test -d /")];
  const report = (ok: boolean, statuses: string): Ending => {
    const step_results = statuses
      .split(" ")
      .map((status, index) => ({ index, status, exit_code: status === "passed" ? 0 : 1 }));
    return { success: true, result: { ok, summary: "", step_results } };
  };
  const ALL = report(true, "passed passed passed");
  const FAILED = report(false, "failed");
  const CANCELLED: Ending = { success: false, result: { error: { name: "Canceled", message: "Job canceled" } } };
  const SILENT: Ending = { success: true, result: { ok: false, summary: "no" } };
  const ASKED = ["1 outcome_unknown null", "ended lost"];
  const WHOLE = ["0 passed 0", "1 passed 0", "2 passed 0", "ended passed"];

  test.each<[string, Ending | null, number, number, readonly string[], number]>([
    ["it has run all: nothing is run", ALL, 1, 1, ["1 passed 0", "2 passed 0", "ended passed"], 0],
    ["it failed later: that is it", report(false, "passed failed"), 1, 1, ["1 failed 1", "ended step_failed"], 0],
    ["a retry is wanted where it failed: it is run", FAILED, 0, 2, ["ended step_failed", "started 0/2 through 2"], 1],
    ["it has passed where a retry is wanted: that counts", ALL, 0, 2, WHOLE, 0],
    ["it was cancelled, and nothing tells where: the supervisor is asked", CANCELLED, 1, 1, ASKED, 0],
    ["the flow is not ok, without its steps: the supervisor is asked", SILENT, 1, 1, ASKED, 0],
    ["it failed in an earlier step: the rest is run", FAILED, 1, 1, ["ended step_failed", "started 1/1 through 2"], 1],
    ["the engine does not know it, nor ever did: the rest is run", null, 1, 1, ["started 1/1 through 2"], 1],
  ])("%s", async (_what, ending, first_index, attempt, told, jobs) => {
    await using it = await startEngineRun();
    it.engine.give(() => ending ?? ALL, 1);
    it.engine.give(() =>
      report(
        true,
        THREE.slice(first_index)
          .fill(cmd(""))
          .map(() => "passed")
          .join(" "),
      ),
    );
    await it.run(THREE);
    const { id: job_id } = it.engine.jobs[0] ?? { id: "" };
    if (ending === null) it.engine.forget(job_id);
    const job = { job_id, through: 2, engine: `${it.engine.url} ${it.engine.workspace}` };
    const next = await goOn(it.engine, { state: "lost", job }, { steps: THREE, request: { first_index, attempt } });
    expect(next.told.slice(0, told.length)).toEqual(told);
    expect(it.engine.counts().accepted - 1).toBe(jobs);
  });

  test.each([
    ["the engine has forgotten a job that it has reported: the supervisor is asked", true],
    ["the engine fails every request: nothing is run, and the supervisor is asked again", false],
  ])("%s", async (_what, seen) => {
    await using it = await startEngineRun();
    if (!seen) it.engine.fault("any", refuses(text("boom", 500)));
    const last_job = lastJob(it.engine, randomUUID(), THREE, { state: "lost", seen });
    await it.run(THREE.slice(1), { first_index: 1, last_job });
    expect(it.told).toEqual(ASKED);
    expect(it.engine.counts()).toMatchObject({ accepted: 0, run_requests: 0 });
  });

  test("it still runs: orch waits for it", async () => {
    await using it = await startJob();
    it.leave();
    await it.output;
    setTimeout(it.letGo, 100);
    expect((await goOn(it.engine, { state: "lost" })).output).toMatchObject({ ok: true });
    expect(it.engine.counts().accepted).toBe(1);
  });
});

describe("the reconcile command of a step of a lost job", () => {
  const LOST = { state: "lost", seen: true } as const;
  const NEVER_SEEN = { ...LOST, seen: false };

  async function reconciled(engine: FlowEngine, over: Over, job_id: string = randomUUID()) {
    const backend = backendOn(engine, { timing: PATIENT });
    const last_job = lastJob(engine, job_id, STEPS, over);
    const { signal: leaving } = new AbortController();
    const request = { task_contract: aContract(), index: 0, attempt: 1, command: "exit 1", leaving, last_job };
    const look = await backend.reconcile?.(request, new AbortController().signal);
    await backend.close();
    return look;
  }

  test("finds nothing that can run any more of one that has ended", async () => {
    await using it = await startEngineRun();
    await it.run(STEPS);
    expect(await reconciled(it.engine, LOST, it.jobId())).toMatchObject({ exit_code: 1, may_run: null });
    expect(it.engine.jobs).toHaveLength(2);
  });

  test("finds that something may run of one that is not over", async () => {
    await using it = await startEngineRun();
    it.engine.give(() => new Promise(() => undefined), 1);
    const abort = new AbortController();
    const output = it.run(STEPS, {}, abort.signal);
    await expect.poll(() => it.engine.jobs.length).toBe(1);
    const may_run = "its job still runs on the flow engine";
    expect(await reconciled(it.engine, LOST, it.jobId())).toMatchObject({ exit_code: 1, may_run });
    abort.abort();
    await output;
  });

  test("takes one that the engine does not know for never submitted, unless it had been seen", async () => {
    await using it = await startEngineRun();
    expect(await reconciled(it.engine, NEVER_SEEN)).toMatchObject({ exit_code: 1, may_run: null });
    const may_run = expect.stringContaining("does not know its job");
    expect(await reconciled(it.engine, LOST)).toMatchObject({ may_run });
  });

  test("looks for none of another engine, and runs nothing here", async () => {
    await using it = await startEngineRun();
    const job = { job_id: randomUUID(), through: 1, engine: "http://other:8000 lab" };
    const may_run = "its job is on another flow engine";
    expect(await reconciled(it.engine, { ...LOST, job })).toMatchObject({ exit_code: null, may_run });
    expect(it.engine.counts().run_requests).toBe(0);
  });

  test("has no exit code but 0 where the report does not say that it was run", async () => {
    await using it = await startEngineRun();
    for (const [code, exit_code] of [
      [1, null],
      [0, 0],
    ] as const) {
      it.engine.give(returns({ ok: code === 0, summary: "", step_results: [{ exit_code: code }] }), 1);
      expect(await reconciled(it.engine, NEVER_SEEN)).toMatchObject({ exit_code });
    }
  });
});
