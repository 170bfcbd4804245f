// Cancelling a task cancels its job at the engine. When that fails, the task reports that the job may still run. A job
// that someone else cancels fails its task.
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../../src/domain/step.ts";
import type { Timing } from "../../../src/execution/flow-engine/wait-watch.ts";
import { statOf } from "../../../src/process/process-stat.ts";
import {
  cutsAfter,
  cutsBefore,
  type Fault,
  ignores,
  neverAnswers,
  refuses,
} from "../../simulators/flow-engine/faults.ts";
import { check, cmd } from "../../support/builders.ts";
import { IMPATIENT, lastJob, runnerOn, startEngineRun } from "../../support/engine-run.ts";
import { text } from "../../support/request-recorder.ts";

const STEPS = [cmd("true"), cmd("true"), check("test -d /")];

/** Submits a job of these steps. */
async function submitted(
  steps: readonly Step[] = STEPS,
  prepare: "held" | "stuck" | "run" = "stuck",
  timing: Timing = IMPATIENT,
) {
  const it = await startEngineRun({}, { timing });
  if (prepare === "held") it.engine.hold();
  // This job runs until it is cancelled.
  if (prepare === "stuck") it.engine.give(() => new Promise(() => undefined));
  const controller = new AbortController();
  const output = it.run(steps, {}, controller.signal);
  await expect.poll(() => it.engine.jobs.length).toBe(1);
  const cancels = () => it.engine.requests.filter(({ kind }) => kind === "cancel");
  const job = () => it.engine.jobs[0];
  return {
    ...it,
    output,
    cancel: () => controller.abort(),
    cancels,
    job,
    [Symbol.asyncDispose]: it[Symbol.asyncDispose],
  };
}

describe("a job is cancelled with its task", () => {
  test("while it is queued, and none of its steps runs", async () => {
    await using it = await submitted(STEPS, "held");
    it.cancel();
    expect(await it.output).toMatchObject({ ok: false, step_results: [{ index: 0, status: "failed" }] });
    expect(it.told.slice(1)).toEqual(["0 failed null", "ended flow_cancelled"]);
    it.engine.release();
    expect(it.job()).toMatchObject({ canceled: { by: "orch", reason: "its task was cancelled" }, started_at: null });
    expect(it.engine.counts()).toMatchObject({ accepted: 1, processes: 0 });
  });

  test("while a command runs, and the command's child processes end", async () => {
    const file = join(tmpdir(), `cancelled-${randomUUID()}`);
    const steps = [cmd("echo done"), cmd(`sleep 60 & echo $! > ${file}; wait`), check("test -d /")];
    await using it = await submitted(steps, "run");
    const pidOf = () => readFile(file, "utf8").catch(() => "");
    await expect.poll(pidOf, { timeout: 10_000 }).toMatch(/^\d+\n$/);
    const pid = Number(await pidOf());
    expect(statOf(pid)).not.toBeNull();
    it.cancel();
    const { ok, step_results } = await it.output;
    expect(ok).toBe(false);
    expect(step_results.map(({ index, status }) => `${index} ${status}`)).toEqual(["0 passed", "1 failed"]);
    expect(it.end()).toMatchObject({ code: "flow_cancelled", message: expect.stringContaining("by orch") });
    await expect.poll(() => statOf(pid), { timeout: 10_000 }).toBeNull();
    await rm(file);
  });

  test("before it is submitted: no request is sent", async () => {
    await using it = await startEngineRun();
    expect(await it.run(STEPS, {}, AbortSignal.abort())).toMatchObject({ ok: false, step_results: [] });
    expect(it.told).toEqual([]);
    expect(it.engine.requests).toEqual([]);
  });

  test("although the orch server that submitted it has stopped", async () => {
    await using it = await submitted();
    it.leave();
    await it.output;
    const next = runnerOn(it.engine);
    const last_job = lastJob(it.engine, it.job()?.id ?? "", STEPS);
    await next.run(STEPS, { last_job, started_at: new Date().toISOString() }, AbortSignal.abort());
    await next.close();
    expect(next.told).toEqual(["0 failed null", "ended flow_cancelled"]);
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });

  test("before the next server submits it again: it is not submitted", async () => {
    await using it = await startEngineRun();
    const last_job = lastJob(it.engine, randomUUID(), STEPS);
    await it.run(STEPS, { last_job, started_at: new Date().toISOString() }, AbortSignal.abort());
    expect(it.end()?.code).toBe("lost");
    expect(it.engine.counts()).toMatchObject({ accepted: 0, run_requests: 0 });
  });
});

describe("cancellation is requested until the engine confirms it", () => {
  test.each<[string, Fault]>([
    ["a connection that is cut", cutsBefore],
    ["an answer that is cut", cutsAfter],
    ["an answer that never comes", ignores],
    ["an engine that fails", refuses(text("boom", 500))],
  ])("despite %s", async (_what, fault) => {
    await using it = await submitted();
    it.engine.fault("cancel", fault, 2);
    it.cancel();
    await it.output;
    expect(it.end()?.code).toBe("flow_cancelled");
    expect(it.job()?.canceled).not.toBeNull();
  });

  test("a confirmed cancellation is not requested again", async () => {
    await using it = await submitted();
    it.engine.fault("poll", refuses(text("boom", 500)), 5);
    it.cancel();
    await it.output;
    expect(it.cancels().map(({ body }) => body)).toEqual(['{"reason":"its task was cancelled"}']);
  });
});

describe("a run request in flight when its task is cancelled", () => {
  test("has arrived: orch looks the job up and cancels it", async () => {
    const it = await startEngineRun();
    await using _ = it;
    it.engine.hold();
    it.engine.fault("run", neverAnswers, 1);
    const controller = new AbortController();
    const output = it.run(STEPS, {}, controller.signal);
    await expect.poll(() => it.engine.jobs.length).toBe(1);
    controller.abort();
    await output;
    expect(it.end()?.code).toBe("flow_cancelled");
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });

  test("has not arrived: orch does not send it again", async () => {
    await using it = await startEngineRun();
    it.engine.fault("run", ignores);
    const controller = new AbortController();
    const output = it.run(STEPS, {}, controller.signal);
    await expect.poll(() => it.engine.requests.length).toBe(1);
    controller.abort();
    await output;
    expect(it.end()).toMatchObject({ code: "lost", message: expect.stringContaining("does not know the job") });
    expect(it.engine.counts()).toMatchObject({ accepted: 0, run_requests: 1 });
  });
});

describe("a job that could not be cancelled is reported as possibly running", () => {
  const uncancelled = () => submitted(STEPS, "stuck", { ...IMPATIENT, cancel_ms: 2_000, lost_ms: 30_000 });

  test("because the token may not cancel it", async () => {
    await using it = await uncancelled();
    it.engine.fault("cancel", refuses(text("Permission denied", 403)));
    it.cancel();
    const output = await it.output;
    expect(it.told.slice(1)).toEqual(["0 outcome_unknown null", "ended lost"]);
    expect(it.end()?.message).toMatch(/could not be cancelled \(HTTP 403 Permission denied\): it may still run$/);
    expect(output.step_results[0]?.stderr).toContain("may still run");
    expect(it.job()).toMatchObject({ canceled: null, ending: null });
  });

  test("because the engine is unreachable", async () => {
    await using it = await uncancelled();
    await it.engine.stop();
    it.cancel();
    await it.output;
    expect(it.end()).toMatchObject({ code: "lost", message: expect.stringMatching(/ECONNREFUSED.*may still run$/) });
    expect(it.job()).toMatchObject({ canceled: null, ending: null });
  });

  test("because it does not end although the engine confirmed the cancellation", async () => {
    await using it = await uncancelled();
    it.engine.fault("cancel", refuses(text("ok")));
    it.cancel();
    await it.output;
    expect(it.end()).toMatchObject({
      code: "lost",
      message: expect.stringMatching(/has not ended: it may still run$/),
    });
    expect(it.cancels()).toHaveLength(1);
  });

  test("unless it ends by itself meanwhile", async () => {
    await using it = await submitted([cmd("sleep 0.2; echo late"), check("test -d /")], "run");
    it.engine.fault("cancel", refuses(text("Permission denied", 403)));
    it.cancel();
    expect(await it.output).toMatchObject({ ok: true, step_results: [{ stdout: "late\n" }, {}] });
  });
});

describe("a job that someone else cancels at the engine", () => {
  test("fails its task, and the remaining steps do not run", async () => {
    await using it = await submitted([cmd("echo one"), cmd("sleep 30"), check("test -d /")], "run");
    await expect.poll(() => it.lines, { timeout: 10_000 }).toContain("orch: step 1 cmd started");
    await it.engine.cancel(it.job()?.id ?? "", "somebody", "maintenance");
    expect(await it.output).toMatchObject({ ok: false });
    expect(it.told.slice(1)).toEqual(["0 passed 0", "1 failed null", "ended flow_cancelled"]);
    expect(it.end()?.message).toBe("flow engine: Job canceled: maintenance by somebody");
    expect(it.end()?.raw_result).toContain("maintenance");
    expect(it.cancels()).toEqual([]);
  });

  test("fails its task when it was still queued", async () => {
    await using it = await submitted(STEPS, "held");
    await it.engine.cancel(it.job()?.id ?? "");
    await it.output;
    expect(it.told.slice(1)).toEqual(["0 failed null", "ended flow_cancelled"]);
  });
});
