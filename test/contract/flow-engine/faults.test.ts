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

test.each<[string, Fault, number, string | null, string, number]>([
  ["a refusal", refuses(text("Unauthorized", 401)), 401, "text/plain", "Unauthorized", 0],
  ["a refusal without a word", refuses(empty(403)), 403, null, "", 0],
  ["a refusal in JSON", refuses(json({ message: "no" }, 404)), 404, "application/json", '{"message":"no"}', 0],
  ["a page", refuses(html("<h1>Bad gateway</h1>", 502)), 502, "text/html", "<h1>Bad gateway</h1>", 0],
  ["an answer after the job was accepted", says(html("<html>", 500)), 500, "text/html", "<html>", 1],
])("%s is an answer in place of the engine's", async (_what, fault, status, type, body, accepted) => {
  engine.fault("run", fault, 1);
  const refused = await run();
  expect([refused.status, refused.headers.get("content-type"), await refused.text()]).toEqual([status, type, body]);
  expect(engine.counts()).toMatchObject({ accepted, run_requests: 1 });
  expect((await run()).status).toBe(201);
});

test("an answer in place of the engine's may say when to come again, and be something that is no JSON", async () => {
  engine.fault("run", refuses(empty(429, { "retry-after": "2" })), 1);
  expect((await run()).headers.get("retry-after")).toBe("2");
  await run();
  engine.fault("poll", says({ status: 200, type: "application/json", body: '{"completed": tru' }), 1);
  await expect((await ofJob("completed/get_result_maybe")).json()).rejects.toThrow(SyntaxError);
  expect(await (await ofJob("completed/get_result_maybe")).json()).toMatchObject({ completed: true });
});

test.each<[string, Fault, string, number]>([
  ["is cut before anything was done", cutsBefore, "fetch failed", 0],
  ["is cut after the job was accepted", cutsAfter, "fetch failed", 1],
  ["is left silent before anything was done", ignores, "timeout", 0],
  ["is left silent after the job was accepted", neverAnswers, "timeout", 1],
])("a connection %s", async (_what, fault, words, accepted) => {
  engine.fault("run", fault, 1);
  await expect(run({ signal: AbortSignal.timeout(500) })).rejects.toThrow(words);
  expect(engine.counts()).toMatchObject({ accepted });
});

test("a connection is cut in the middle of the answer, or answered late", async () => {
  await run();
  engine.fault("result", cutsMidAnswer, 1);
  const answer = await ofJob("completed/get_result");
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow("terminated");
  engine.fault("logs", answersAfter(300), 1);
  await expect(ofJob("getupdate", { signal: AbortSignal.timeout(100) })).rejects.toThrow("timeout");
  expect((await ofJob("getupdate")).status).toBe(200);
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
