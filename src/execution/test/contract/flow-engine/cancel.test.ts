// Cancelling a task cancels its job at the engine. When that fails, the task reports that the job may still run. A job that someone else
// cancels fails its task.
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  cutsAfter,
  cutsBefore,
  type Fault,
  ignores,
  neverAnswers,
  refuses,
} from "../../../../../test/simulators/flow-engine/faults.ts";
import { check, cmd } from "../../../../../test/support/builders.ts";
import { text } from "../../../../../test/support/request-recorder.ts";
import { statOf } from "../../../../process/process-stat.ts";
import { goOn, IMPATIENT, LONG, lastJob, STEPS, sent, startEngineRun, startJob } from "./engine-run.ts";

/** A job that runs until it is cancelled. */
const stuck = (over: Parameters<typeof startJob>[0] = {}) =>
  startJob({ work: () => new Promise(() => undefined), ...over });

/** A job that no worker has taken. */
async function queued(fault?: Fault) {
  const it = await startEngineRun();
  const { engine } = it;
  engine.hold();
  if (fault !== undefined) engine.fault("run", fault, 1);
  const controller = new AbortController();
  const output = it.run(STEPS, {}, controller.signal);
  await expect.poll(() => sent(engine, "run").length).toBe(1);
  return { ...it, output, cancel: () => controller.abort(), [Symbol.asyncDispose]: it[Symbol.asyncDispose] };
}

describe("a job is cancelled with its task", () => {
  test("while it is queued, and none of its steps runs", async () => {
    await using it = await queued();
    await expect.poll(() => it.engine.jobs.length).toBe(1);
    it.cancel();
    expect(await it.output).toMatchObject({ ok: false, step_results: [{ index: 0, status: "failed" }] });
    expect(it.told.slice(1)).toEqual(["0 failed null", "ended flow_cancelled"]);
    it.engine.release();
    const canceled = { by: "orch", reason: "its task was cancelled" };
    expect(it.engine.jobs).toMatchObject([{ canceled, started_at: null }]);
    expect(it.engine.counts()).toMatchObject({ accepted: 1, processes: 0 });
  });

  test("while a command runs, and the command's child processes end", async () => {
    const file = join(tmpdir(), `cancelled-${randomUUID()}`);
    const steps = [cmd("echo done"), cmd(`sleep 60 & echo $! > ${file}; wait`), check("test -d /")];
    await using it = await startJob({ steps, work: null });
    const pidOf = () => readFile(file, "utf8").catch(() => "");
    await expect.poll(pidOf, LONG).toMatch(/^\d+\n$/);
    const pid = Number(await pidOf());
    expect(statOf(pid)).not.toBeNull();
    it.cancel();
    await it.output;
    expect(it.told.slice(1)).toEqual(["0 passed 0", "1 failed null", "ended flow_cancelled"]);
    expect(it.end()?.message).toContain("by orch");
    await expect.poll(() => statOf(pid), LONG).toBeNull();
    await rm(file);
  });

  test("before it is submitted: no request is sent", async () => {
    await using it = await startEngineRun();
    expect(await it.run(STEPS, {}, AbortSignal.abort())).toMatchObject({ ok: false, step_results: [] });
    expect([it.told, it.engine.requests]).toEqual([[], []]);
  });

  test("although the orch server that submitted it has stopped", async () => {
    await using it = await stuck();
    it.leave();
    await it.output;
    const next = await goOn(it.engine, {}, { signal: AbortSignal.abort() });
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

  test("while its run request is in flight: orch looks up one that has arrived", async () => {
    await using it = await queued(neverAnswers);
    await expect.poll(() => it.engine.jobs.length).toBe(1);
    it.cancel();
    await it.output;
    expect(it.end()?.code).toBe("flow_cancelled");
    expect(it.engine.counts()).toMatchObject({ accepted: 1, run_requests: 1 });
  });

  test("while its run request is in flight: orch does not send one again that has not arrived", async () => {
    await using it = await queued(ignores);
    it.cancel();
    await it.output;
    expect(it.end()).toMatchObject({ code: "lost", message: expect.stringContaining("does not know the job") });
    expect(it.engine.counts()).toMatchObject({ accepted: 0, run_requests: 1 });
  });
});

describe("cancellation is requested until the engine confirms it", () => {
  test.each<[string, Fault]>([
    ["a connection that is cut", cutsBefore],
    ["an answer that is cut", cutsAfter],
    ["an answer that never comes", ignores],
    ["an engine that fails", refuses(text("boom", 500))],
  ])("despite %s", async (_what, fault) => {
    await using it = await stuck();
    it.engine.fault("cancel", fault, 2);
    it.cancel();
    await it.output;
    expect(it.end()?.code).toBe("flow_cancelled");
    expect(it.engine.jobs[0]?.canceled).not.toBeNull();
  });

  test("without a further request after that", async () => {
    await using it = await stuck();
    it.engine.fault("poll", refuses(text("boom", 500)), 5);
    it.cancel();
    await it.output;
    expect(sent(it.engine, "cancel").map(({ body }) => body)).toEqual(['{"reason":"its task was cancelled"}']);
  });
});

describe("a job that could not be cancelled is reported as possibly running", () => {
  test.each<[string, Fault | null, RegExp, number]>([
    ["because the token may not cancel it", refuses(text("Permission denied", 403)), /cancelled \(HTTP 403 Perm/, -1],
    ["because the engine is unreachable", null, /ECONNREFUSED/, 0],
    ["because it does not end although the engine confirmed it", refuses(text("ok")), /has not ended/, 1],
  ])("%s", async (_what, fault, words, cancels) => {
    await using it = await stuck({ timing: { ...IMPATIENT, cancel_ms: 2_000, lost_ms: 30_000 } });
    if (fault === null) await it.engine.stop();
    else it.engine.fault("cancel", fault);
    it.cancel();
    const output = await it.output;
    expect(it.told.slice(1)).toEqual(["0 outcome_unknown null", "ended lost"]);
    expect(it.end()?.message).toMatch(words);
    expect(it.end()?.message).toMatch(/: it may still run$/);
    expect(output.step_results[0]?.stderr).toContain("may still run");
    expect(it.engine.jobs[0]).toMatchObject({ canceled: null, ending: null });
    if (cancels >= 0) expect(sent(it.engine, "cancel")).toHaveLength(cancels);
  });

  test("unless it ends by itself meanwhile", async () => {
    await using it = await startJob({ steps: [cmd("sleep 0.2; echo late"), check("test -d /")], work: null });
    it.engine.fault("cancel", refuses(text("Permission denied", 403)));
    it.cancel();
    expect(await it.output).toMatchObject({ ok: true, step_results: [{ stdout: "late\n" }, {}] });
  });
});

describe("a job that someone else cancels at the engine", () => {
  test("fails its task, and the remaining steps do not run", async () => {
    await using it = await startJob({ steps: [cmd("echo one"), cmd("sleep 30"), check("test -d /")], work: null });
    await expect.poll(() => it.lines, LONG).toContain("orch: step 1 cmd started");
    await it.engine.cancel(it.jobId(), "somebody", "maintenance");
    expect(await it.output).toMatchObject({ ok: false });
    expect(it.told.slice(1)).toEqual(["0 passed 0", "1 failed null", "ended flow_cancelled"]);
    expect(it.end()?.message).toBe("flow engine: Job canceled: maintenance by somebody");
    expect(it.end()?.raw_result).toContain("maintenance");
    expect(sent(it.engine, "cancel")).toEqual([]);
  });

  test("fails its task when it was still queued", async () => {
    await using it = await queued();
    await expect.poll(() => it.engine.jobs.length).toBe(1);
    await it.engine.cancel(it.jobId());
    await it.output;
    expect(it.told.slice(1)).toEqual(["0 failed null", "ended flow_cancelled"]);
  });
});
