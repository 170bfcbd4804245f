// What steps write, as one server gives it to another: who may read it, and for how long.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createOutputEndpoint } from "../../../src/features/live-output/output-endpoint.ts";
import { readEvents } from "../../../src/http-client/event-stream.ts";
import { bearer, type RunningHttp, startHttp, TOKEN } from "../../support/http-endpoint.ts";
import { liveSource } from "../../support/live-source.ts";

const SECRET = "s".repeat(43);
const live = liveSource();
const here = new Set<string>();
let endpoint: RunningHttp;
beforeAll(async () => {
  const deps = {
    live,
    secret: SECRET,
    host: "nas.internal",
    runsHere: (task_id: string) => here.has(task_id),
    most: 2,
  };
  const limits = { failed_logins: { amount: 0, per_ms: 60_000 } };
  endpoint = await startHttp({ peers: createOutputEndpoint(deps), limits });
});
afterAll(() => endpoint.stop());
const open = new Set<AbortController>();
afterEach(() => {
  for (const one of open) one.abort();
});

const pathOf = (task_id: string) => `/internal/tasks/${encodeURIComponent(task_id)}/output`;
const ask = (path: string, secret: string, method = "GET") => {
  const abort = new AbortController();
  open.add(abort);
  return fetch(endpoint.url + path, { method, headers: bearer(secret), signal: abort.signal });
};

const until = (seen: () => unknown) => expect.poll(seen, { timeout: 10_000 });

async function follow(task_id: string) {
  const response = await ask(pathOf(task_id), SECRET);
  const texts: string[] = [];
  const read = async () => {
    for await (const { data } of readEvents(response.body ?? new ReadableStream())) texts.push(JSON.parse(data).text);
  };
  return {
    response,
    texts,
    ended: read().then(
      () => "ended",
      () => "cut",
    ),
  };
}

test("its secret opens it, no token does, and the secret opens nothing else", async () => {
  here.add("t/1");
  expect((await ask(pathOf("t/1"), TOKEN)).status).toBe(401);
  expect((await ask(pathOf("t/1"), `${SECRET}s`)).status).toBe(401);
  expect((await fetch(endpoint.url + pathOf("t/1"))).status).toBe(401);
  const { response } = await follow("t/1");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  for (const path of ["/v1/servers", "/openapi.json", "/metrics"])
    expect([path, (await ask(path, SECRET)).status]).toEqual([path, 401]);
  expect(endpoint.lines.join("")).not.toContain(SECRET);
});

test("a task that does not run here, another method, and one stream too many are refused", async () => {
  expect((await ask(pathOf("elsewhere"), SECRET)).status).toBe(404);
  expect((await ask(pathOf("t/1"), SECRET, "POST")).status).toBe(405);
  for (const one of open) one.abort();
  await until(live.watching).toBe(0);
  await Promise.all([follow("t/1"), follow("t/1")]);
  const third = await ask(pathOf("t/1"), SECRET);
  expect([third.status, third.headers.get("retry-after")]).toEqual([503, "2"]);
});

test("pieces come as they are written, and the stream ends when the task has gone, with what it wrote last", async () => {
  here.add("leaves");
  const { texts, ended } = await follow("leaves");
  live.write("one\n");
  await until(() => texts).toContain("one\n");
  here.delete("leaves");
  live.write("two\n");
  expect(await ended).toBe("ended");
  expect(texts).toEqual(["one\n", "two\n"]);
  await until(live.watching).toBe(0);
});

test("its name among the servers is a name of this service, and no document has the endpoint", async () => {
  const answer = await endpoint.raw("GET /healthz HTTP/1.1\r\nHost: nas.internal:3400\r\nConnection: close\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 200/);
  const other = await endpoint.raw("GET /healthz HTTP/1.1\r\nHost: nas.external\r\nConnection: close\r\n\r\n");
  expect(other).toMatch(/^HTTP\/1.1 421/);
  expect(await (await endpoint.get("/openapi.json")).text()).not.toContain("/internal/");
});

test("without the address of this server there is no such endpoint", async () => {
  const none = await startHttp();
  expect((await fetch(none.url + pathOf("t/1"), { headers: bearer() })).status).toBe(404);
  await none.stop();
});
