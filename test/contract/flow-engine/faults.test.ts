// The faults of the simulated flow engine: each shows as what it is named, for as long as it is switched on, and for its kind of
// request alone.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  answersAfter,
  cutsAfter,
  cutsBefore,
  cutsMidAnswer,
  type Fault,
  ignores,
  neverAnswers,
  refuses,
  says,
} from "../../simulators/flow-engine/faults.ts";
import { type FlowEngine, startFlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { returns } from "../../simulators/flow-engine/worker.ts";
import { freePort } from "../../support/free-port.ts";
import { empty, html, json, startRequestRecorder, text } from "../../support/request-recorder.ts";

const OUTPUT = { ok: true, summary: "done" };

let engine: FlowEngine;

beforeEach(async () => {
  engine = await startFlowEngine();
  engine.give(returns(OUTPUT));
});
afterEach(() => engine[Symbol.asyncDispose]());

const ask = (path: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${engine.token}`, "content-type": "application/json" };
  return fetch(`${engine.url}/api/w/${engine.workspace}/${path}`, { headers, ...init });
};
const run = (init: RequestInit = {}) =>
  ask("jobs/run/f/f/orch/execute_task_steps", { method: "POST", body: "{}", ...init });
const ofJob = (path: string, init?: RequestInit) => ask(`jobs_u/${path}/${engine.jobs[0]?.id}`, init);

describe("an answer in place of the engine's", () => {
  test.each([
    [refuses(text("Unauthorized", 401)), 401, "text/plain", "Unauthorized"],
    [refuses(empty(403)), 403, null, ""],
    [refuses(json({ message: "no" }, 404)), 404, "application/json", '{"message":"no"}'],
    [refuses(html("<h1>Bad gateway</h1>", 502)), 502, "text/html", "<h1>Bad gateway</h1>"],
    [refuses(empty(504)), 504, null, ""],
  ])("has its status, type and body, and nothing is accepted", async (fault, status, type, body) => {
    engine.fault("run", fault, 1);
    const refused = await run();
    expect([refused.status, refused.headers.get("content-type"), await refused.text()]).toEqual([status, type, body]);
    expect(engine.counts()).toEqual({ accepted: 0, run_requests: 1, processes: 0 });
    expect((await run()).status).toBe(201);
  });

  test("may say when to come again", async () => {
    engine.fault("run", refuses(empty(429, { "retry-after": "2" })), 1);
    expect((await run()).headers.get("retry-after")).toBe("2");
  });

  test("may follow after the engine has accepted the job", async () => {
    engine.fault("run", says(html("<html>", 500)), 1);
    expect((await run()).status).toBe(500);
    expect(engine.counts()).toMatchObject({ accepted: 1 });
  });

  test("may be something that is no JSON", async () => {
    await run();
    engine.fault("poll", says({ status: 200, type: "application/json", body: '{"completed": tru' }), 1);
    await expect((await ofJob("completed/get_result_maybe")).json()).rejects.toThrow(SyntaxError);
    expect(await (await ofJob("completed/get_result_maybe")).json()).toMatchObject({ completed: true });
  });
});

describe("a connection", () => {
  test.each([
    ["before anything was done", cutsBefore, 0],
    ["after the job was accepted", cutsAfter, 1],
  ])("is cut %s", async (_, fault, accepted) => {
    engine.fault("run", fault, 1);
    await expect(run()).rejects.toThrow("fetch failed");
    expect(engine.counts()).toMatchObject({ accepted, run_requests: 1 });
  });

  test("is cut in the middle of the answer", async () => {
    await run();
    engine.fault("result", cutsMidAnswer, 1);
    const answer = await ofJob("completed/get_result");
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  test.each<[string, Fault, number]>([
    ["after the job was accepted", neverAnswers, 1],
    ["before anything was done", ignores, 0],
  ])("is left silent %s", async (_, fault, accepted) => {
    engine.fault("run", fault, 1);
    await expect(run({ signal: AbortSignal.timeout(200) })).rejects.toThrow("timeout");
    expect(engine.counts()).toMatchObject({ accepted });
  });

  test("is answered late", async () => {
    await run();
    engine.fault("logs", answersAfter(300), 1);
    await expect(ofJob("getupdate", { signal: AbortSignal.timeout(100) })).rejects.toThrow("timeout");
    expect((await ofJob("getupdate")).status).toBe(200);
  });
});

describe("a fault", () => {
  test("is for its kind of request, until it is switched off", async () => {
    const off = engine.fault("poll", refuses(empty(503)));
    await run();
    for (const _ of [1, 2, 3]) expect((await ofJob("completed/get_result_maybe")).status).toBe(503);
    expect((await ofJob("completed/get_result")).status).toBe(200);
    expect((await ofJob("get")).status).toBe(200);
    expect((await ofJob("getupdate")).status).toBe(200);
    off();
    expect((await ofJob("completed/get_result_maybe")).status).toBe(200);
  });

  test("follows the one that was switched on before it", async () => {
    engine.fault("run", refuses(empty(429)), 2);
    engine.fault("any", refuses(empty(503)), 1);
    const statuses = [await run(), await run(), await run(), await run()].map(({ status }) => status);
    expect(statuses).toEqual([429, 429, 503, 201]);
  });
});

test("a port may be given, and a path that the engine does not have is none", async () => {
  const port = await freePort();
  await using other = await startFlowEngine({ port });
  expect(other.url).toBe(`http://127.0.0.1:${port}`);
  expect((await fetch(`${other.url}/api/w/lab/jobs/list`)).status).toBe(404);
  expect(other.requests).toMatchObject([{ kind: "unknown", method: "GET", url: "/api/w/lab/jobs/list", body: "" }]);
  expect(other.violations.splice(0)).toEqual(["GET /api/w/lab/jobs/list is no published operation"]);
});

test("the recorder keeps what it was sent, the way it was sent", async () => {
  await using recorder = await startRequestRecorder(({ url }) => json({ url }, 201));
  const path = "/api/w/lab/jobs/run/f/f/orch/x?job_id=1&a=%20";
  const answer = await fetch(`${recorder.url}${path}`, { method: "POST", headers: { "x-a": "b" }, body: '{"ü":1}' });
  expect([answer.status, await answer.json()]).toEqual([201, { url: path }]);
  expect(recorder.received).toMatchObject([{ method: "POST", url: path, headers: { "x-a": "b" }, body: '{"ü":1}' }]);
});
