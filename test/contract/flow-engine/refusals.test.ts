// What the simulated flow engine refuses, as its official client sees it.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiError, JobService, SettingsService } from "windmill-client";
import type { FlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { told } from "../../simulators/flow-engine/script.ts";
import { pointOfficialClientAt, startDrivenEngine } from "../../support/flow-engine-client.ts";

const PATH = "f/orch/execute_task_steps";
const workspace = "lab";

let driven: Awaited<ReturnType<typeof startDrivenEngine>>;
let engine: FlowEngine;

beforeEach(async () => {
  driven = await startDrivenEngine({ scoped_tokens: new Map([["narrow", ["run", "poll"]]]) });
  engine = driven.engine;
});
afterEach(() => driven[Symbol.asyncDispose]());

const run = (requestBody: Record<string, unknown>, more: object = {}) =>
  JobService.runFlowByPath({ workspace, path: PATH, requestBody, ...more });
const completed = (id: string) => engine.jobs.find((job) => job.id === id)?.completed.promise;
const statusOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "answered",
    (error: unknown) => (error instanceof ApiError ? error.status : String(error)),
  );

test("the engine refuses an id that is taken, queued or completed, and runs nothing twice", async () => {
  const jobId = randomUUID();
  await run(told({ returns: 1 }), { jobId });
  const taken = { status: 400, body: `Bad request: Job with id ${jobId} already exists` };
  await expect(run(told({ returns: 2 }), { jobId })).rejects.toMatchObject(taken);
  await completed(jobId);
  await expect(run(told({ returns: 2 }), { jobId })).rejects.toMatchObject(taken);
  expect(engine.counts()).toEqual({ accepted: 1, run_requests: 3, processes: 1 });
});

test("the engine refuses a flow that it does not have", async () => {
  const unknown = JobService.runFlowByPath({ workspace, path: "f/orch/other", requestBody: {} });
  await expect(unknown).rejects.toMatchObject({
    status: 404,
    body: "Not found: flow not found at name f/orch/other",
  });
});

test("the engine refuses a body that is no object, and an id that is none", async () => {
  expect(await statusOf(run([] as never))).toBe(400);
  expect(await statusOf(run({}, { jobId: "mine" }))).toBe(400);
  expect(await statusOf(JobService.getJob({ workspace, id: "mine" }))).toBe(400);
  expect(engine.counts().accepted).toBe(0);
  // Such requests are none of the published API.
  expect(engine.violations.splice(0)).toHaveLength(3);
});

test("the engine refuses a job that it does not have, of which it only says that it has not been completed", async () => {
  const id = randomUUID();
  expect(await statusOf(JobService.getJob({ workspace, id }))).toBe(404);
  expect(await statusOf(JobService.getJobUpdates({ workspace, id }))).toBe(404);
  expect(await statusOf(JobService.getCompletedJobResult({ workspace, id }))).toBe(404);
  expect(await statusOf(JobService.cancelQueuedJob({ workspace, id, requestBody: {} }))).toBe(404);
  expect(await JobService.getCompletedJobResultMaybe({ workspace, id, getStarted: true })).toEqual({
    started: false,
    success: null,
    completed: false,
    result: null,
  });
});

test("the engine refuses a wrong token", async () => {
  const id = await run(told({ returns: { ok: true } }));
  await completed(id);
  using _ = pointOfficialClientAt(engine, { token: "wrong", workspace });
  expect(await statusOf(run(told({})))).toBe(401);
  // Jobs may be asked after without a token, and are then those of strangers alone.
  for (const asked of [
    JobService.getCompletedJobResultMaybe({ workspace, id, getStarted: true }),
    JobService.getJob({ workspace, id }),
    JobService.getJobUpdates({ workspace, id }),
  ]) {
    await expect(asked).rejects.toMatchObject({ status: 400, body: expect.stringContaining("non logged in user") });
  }
  expect(await SettingsService.backendVersion()).toContain("1.818.0");
});

test("the engine refuses a workspace that is not its own", async () => {
  expect(await statusOf(JobService.runFlowByPath({ workspace: "other", path: PATH, requestBody: {} }))).toBe(401);
});

test("the engine refuses what the scopes of a token do not allow", async () => {
  using _ = pointOfficialClientAt(engine, { token: "narrow", workspace });
  const id = await run(told({ returns: { ok: true } }));
  await completed(id);
  expect(await statusOf(JobService.getCompletedJobResultMaybe({ workspace, id }))).toBe("answered");
  expect(await statusOf(JobService.getJob({ workspace, id }))).toBe(403);
  expect(await statusOf(JobService.cancelQueuedJob({ workspace, id, requestBody: {} }))).toBe(403);
});
