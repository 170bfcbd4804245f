// The official client drives the simulated flow engine and understands its responses like those of the real engine.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelJob, JobService, runFlow, runFlowAsync, waitJob } from "windmill-client";
import type { FlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { told } from "../../simulators/flow-engine/script.ts";
import { returns } from "../../simulators/flow-engine/worker.ts";
import { fieldsOf, startDrivenEngine } from "../../support/flow-engine-client.ts";

const PATH = "f/orch/execute_task_steps";
const UUID = /^[0-9a-f-]{36}$/;

let driven: Awaited<ReturnType<typeof startDrivenEngine>>;
let engine: FlowEngine;

beforeEach(async () => {
  driven = await startDrivenEngine({ too_big: 2_000 });
  engine = driven.engine;
});
afterEach(() => driven[Symbol.asyncDispose]());

const workspace = "lab";
const run = (requestBody: Record<string, unknown>, more: object = {}) =>
  JobService.runFlowByPath({ workspace, path: PATH, requestBody, ...more });
const maybe = (id: string) => JobService.getCompletedJobResultMaybe({ workspace, id, getStarted: true });
const completed = (id: string) => engine.jobs.find((job) => job.id === id)?.completed.promise;

/** Expects every field that the client's type requires, and none that the type does not have. */
async function expectShape(value: unknown, type: string): Promise<void> {
  const { required, optional } = await fieldsOf(type);
  const keys = Object.keys(value as object).filter((key) => key !== "type");
  expect(keys).toEqual(expect.arrayContaining(required));
  expect([...required, ...optional]).toEqual(expect.arrayContaining(keys));
}

describe("a job that succeeds", () => {
  const output = { ok: true, summary: "done" };

  test("gets an id, and the high-level client gets what the script returned", async () => {
    expect(await runFlow(PATH, told({ returns: output }))).toEqual(output);
    const [job] = engine.jobs;
    expect(job?.id).toMatch(UUID);
    expect(job?.module_id).toMatch(UUID);
    expect(job?.module_id).not.toBe(job?.id);
    expect(engine.counts()).toEqual({ accepted: 1, run_requests: 1, processes: 1 });
  });

  test("is queued, then running, then completed", async () => {
    engine.hold();
    const id = await run(told({ returns: output }));
    expect(await maybe(id)).toEqual({ started: false, success: null, completed: false, result: null });
    const queued = await JobService.getJob({ workspace, id });
    expect(queued).toMatchObject({ type: "QueuedJob", running: false, canceled: false, script_path: PATH });
    await expectShape(queued, "QueuedJob");

    engine.give(() => new Promise((resolve) => setTimeout(resolve, 300, { success: true, result: output })), 1);
    engine.release();
    expect(await maybe(id)).toEqual({ started: true, success: null, completed: false, result: null });
    expect(await JobService.getJob({ workspace, id })).toMatchObject({ type: "QueuedJob", running: true });

    await completed(id);
    expect(await maybe(id)).toEqual({ started: true, success: true, completed: true, result: output });
    expect(await JobService.getCompletedJobResult({ workspace, id })).toEqual(output);
    const done = await JobService.getJob({ workspace, id, noLogs: true });
    expect(done).toMatchObject({ type: "CompletedJob", success: true, result: output });
    await expectShape(done, "CompletedJob");
  });

  test("keeps the id that the client chose", async () => {
    const jobId = randomUUID();
    expect(await run(told({ returns: output }), { jobId })).toBe(jobId);
    expect(await waitJob(jobId)).toEqual(output);
  });

  test("answers run-and-wait with its result", async () => {
    const asked = { workspace, path: PATH, requestBody: told({ returns: output }) };
    expect(await JobService.runWaitResultFlowByPath(asked)).toEqual(output);
  });

  test("has its progress in the log of the module's job, which is readable from the last offset", async () => {
    const id = await run(told({ sleeps_ms: 600 }));
    await expect.poll(() => engine.jobs[0]?.processes[0]?.log()).toContain("started");
    const flow = await JobService.getJobUpdates({ workspace, id, running: false });
    expect(flow).toMatchObject({ running: true, completed: false });
    await expectShape(flow, "GetJobUpdatesResponse");
    expect(flow.new_logs).not.toContain("orch:");
    const module_id = flow.flow_status?.modules[0]?.job ?? "";
    expect(module_id).toBe(engine.jobs[0]?.module_id);

    const first = await JobService.getJobUpdates({ workspace, id: module_id, logOffset: 0 });
    expect(first.new_logs).toContain("orch: step 0 cmd started\n");
    await completed(id);
    const rest = await JobService.getJobUpdates({ workspace, id: module_id, logOffset: first.log_offset ?? 0 });
    expect(rest).toMatchObject({ completed: true, running: false });
    expect(rest.new_logs).toBe("orch: step 0 cmd passed exit_code=0 duration_ms=600\n");
    const whole = await JobService.getFlowAllLogs({ workspace, id });
    expect(whole).toContain(`${first.new_logs}${rest.new_logs}`);
  });

  test("is shown without a result that is too big, which the client fetches separately", async () => {
    const large = { ok: true, summary: "x".repeat(3_000) };
    const id = await run(told({ returns: large }));
    await completed(id);
    expect(await JobService.getJob({ workspace, id })).toMatchObject({ result: "WINDMILL_TOO_BIG" });
    expect(await JobService.getCompletedJobResult({ workspace, id })).toEqual(large);
    expect((await maybe(id)).result).toEqual(large);
  });
});

describe("a job that fails", () => {
  test("makes the high-level client throw what the script threw", async () => {
    const failed = runFlow(PATH, told({ throws: "out of cheese" }));
    await expect(failed).rejects.toThrow(
      /^Job [0-9a-f-]{36} was not successful: \{"name":"TypeError","message":"out of/,
    );
    const id = engine.jobs[0]?.id ?? "";
    expect(await maybe(id)).toMatchObject({
      completed: true,
      success: false,
      result: { error: { name: "TypeError" } },
    });
    const { flow_status } = await JobService.getJob({ workspace, id });
    expect(flow_status?.modules).toMatchObject([{ id: "run_steps", type: "Failure" }]);
    await expectShape(flow_status, "FlowStatus");
  });

  test("answers run-and-wait with a 422 and the result", async () => {
    const asked = { workspace, path: PATH, requestBody: told({ throws: "no" }) };
    await expect(JobService.runWaitResultFlowByPath(asked)).rejects.toMatchObject({
      status: 422,
      body: { error: { name: "TypeError", message: "no" } },
    });
  });

  test("is stored for a result with windmill_failure", async () => {
    const result = { ok: true, windmill_failure: "not so" };
    engine.give(returns(result));
    const id = await run(told({}));
    expect(await maybe(id)).toEqual({ started: true, success: false, completed: true, result: { error: result } });
    await expect(waitJob(id)).rejects.toThrow("was not successful");
  });
});

describe("a job that is cancelled", () => {
  const canceled = (reason: string) => ({
    error: { name: "Canceled", message: `Job canceled: ${reason} by orch`, reason, canceler: "orch" },
  });

  test("ends with its process, and records who cancelled it and the reason", async () => {
    const id = await run(told({ sleeps_ms: 30_000 }));
    await expect.poll(() => engine.jobs[0]?.processes[0]?.log()).toContain("started");
    const requestBody = { reason: "enough" };
    expect(await JobService.cancelQueuedJob({ workspace, id, requestBody })).toBe(id);
    await completed(id);
    expect(engine.jobs[0]?.processes[0]?.child.signalCode).toBe("SIGKILL");
    expect(await maybe(id)).toEqual({ started: true, success: false, completed: true, result: canceled("enough") });
    const shown = await JobService.getJob({ workspace, id });
    expect(shown).toMatchObject({ canceled: true, canceled_by: "orch", canceled_reason: "enough", success: false });
    await expect(waitJob(id)).rejects.toThrow('was not successful: {"name":"Canceled"');
  });

  test("never starts when it was still queued", async () => {
    engine.hold();
    const id = await runFlowAsync(PATH, told({}));
    await cancelJob(id, "too late");
    engine.release();
    await completed(id);
    expect(await JobService.getCompletedJobResult({ workspace, id })).toEqual(canceled("too late"));
    expect(engine.counts().processes).toBe(0);
  });

  test("is completed at once when it is forced", async () => {
    engine.give(() => new Promise(() => undefined), 1);
    const id = await run(told({}));
    await JobService.forceCancelQueuedJob({ workspace, id, requestBody: {} });
    expect(await maybe(id)).toMatchObject({ completed: true, result: canceled("No reason provided") });
  });

  test("stays as it is when it has completed before", async () => {
    engine.give(returns({ ok: true }));
    const id = await run(told({}));
    await completed(id);
    const answer = await JobService.cancelQueuedJob({ workspace, id, requestBody: { reason: "oh" } });
    expect(answer).toBe(`queued job id ${id} is already completed`);
    expect(await maybe(id)).toMatchObject({ success: true, result: { ok: true } });
  });

  test("ends when the client of run-and-wait disconnects", async () => {
    const asked = { workspace, path: PATH, requestBody: told({ sleeps_ms: 30_000 }) };
    const waiting = JobService.runWaitResultFlowByPath(asked);
    waiting.catch(() => undefined);
    await expect.poll(() => engine.jobs[0]?.processes[0]?.log()).toContain("started");
    waiting.cancel();
    const id = engine.jobs[0]?.id ?? "";
    await completed(id);
    expect((await maybe(id)).result).toEqual(canceled("http connection broke"));
  });
});
