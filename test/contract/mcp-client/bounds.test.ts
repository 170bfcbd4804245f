// A slow or hostile tool server blocks neither its callers nor orch.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import type { ToolServers } from "../../../src/ports.ts";
import {
  afterHandshake,
  rpcError,
  rpcResult,
  sendJson,
  startRawServer,
  startSdkServer,
} from "../../support/tool-server.ts";

const { signal } = new AbortController();

let open: ToolServers[] = [];
afterEach(async () => {
  await Promise.all(open.map((servers) => servers.close()));
  open = [];
});

function callerOf(url: string) {
  const servers = createToolServers({ servers: new Map([["x", { url, token: null }]]), version: "1" });
  open.push(servers);
  return (tool: string, limit_ms = 5_000, stop: AbortSignal = signal) =>
    servers.call({ server: "x", tool, arguments: {} }, { limit_ms, signal: stop });
}

const methodsOf = ({ received }: { received: readonly { body: { method?: string } | undefined }[] }) =>
  received.map(({ body }) => body?.method ?? "none");

describe("a call ends at its limit and when it is stopped", () => {
  test("when the handshake never ends", async () => {
    await using server = await startRawServer((received, response, request) => {
      const isBegin = received.body?.method === "initialize";
      return isBegin ? afterHandshake(() => undefined)(received, response, request) : undefined;
    });
    const call = callerOf(server.url);
    const stop = new AbortController();
    const calls = [call("one", 300), call("two", 200), call("three", 60_000, stop.signal)];
    setTimeout(() => stop.abort(), 250);
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ ok: false, executed: false });
    expect(server.calls()).toEqual([]);
  });

  test("when another caller's handshake takes longer", async () => {
    await using server = await startRawServer(() => undefined);
    const call = callerOf(server.url);
    const ended: string[] = [];
    const endsAfter = (name: string, ms: number) => call(name, ms).finally(() => ended.push(name));
    const [, impatient] = await Promise.all([endsAfter("one", 2_000), endsAfter("two", 100)]);
    expect(impatient).toMatchObject({ ok: false, executed: false });
    expect(ended).toEqual(["two", "one"]);
  });

  test("when the list of tools has no end", async () => {
    let page = 0;
    await using server = await startRawServer(
      afterHandshake(async ({ body }, response) => {
        await sleep(30);
        page += 1;
        return sendJson(response, rpcResult(body.id, { tools: [], nextCursor: `page ${page}` }));
      }),
    );
    const servers = createToolServers({ servers: new Map([["x", { url: server.url, token: null }]]), version: "1" });
    open.push(servers);
    const asked = servers.mayRepeat({ server: "x", tool: "one" }, AbortSignal.timeout(300));
    expect(await asked).toBe(false);
    const before = page;
    await servers.close();
    await sleep(200);
    expect(page - before).toBeLessThan(5);
  });
});

test("a list of more pages than orch reads is no list that the server lacks", async () => {
  let page = 0;
  await using server = await startRawServer(
    afterHandshake(({ body }, response) =>
      sendJson(response, rpcResult(body.id, { tools: [], nextCursor: `page ${page++}` })),
    ),
  );
  const servers = createToolServers({ servers: new Map([["x", { url: server.url, token: null }]]), version: "1" });
  open.push(servers);
  const listing = await servers.listNow("x", AbortSignal.timeout(20_000));
  expect(listing).toMatchObject({ is: "unread", why: "its list of tools has more than 100 pages" });
});

test("an answered call is never cancelled", async () => {
  await using server = await startSdkServer({ sessions: true });
  const call = callerOf(server.url);
  const stop = new AbortController();
  for (const tool of ["set", "set", "fail", "none"]) await call(tool, 200, stop.signal);
  await sleep(400);
  stop.abort();
  await sleep(100);
  expect(methodsOf(server)).not.toContain("notifications/cancelled");
});

test.each([true, false])(
  "an unanswered call is cancelled, and its handshake is not; sessions: %s",
  async (sessions) => {
    await using server = await startSdkServer({ sessions });
    await callerOf(server.url)("hold", 200);
    await expect.poll(() => methodsOf(server)).toContain("notifications/cancelled");
    const cancelled = server.received.find(({ body }) => body?.method === "notifications/cancelled");
    expect(cancelled?.body.params.requestId).toBe(server.calls()[0]?.body.id);
  },
);

test.each([
  ["with an id of ours", (id: unknown) => rpcError(id, -32_000, "created, but its session was not found")],
  ["in words of its own", () => ({ error: { message: "created, but its session was not found" } })],
])("a tool's error that mentions a lost session is not treated as one: %s", async (_how, error) => {
  await using server = await startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.params.name === "first") return sendJson(response, rpcResult(body.id, {}));
      return sendJson(response, error(body.id), 400);
    }, "a-session"),
  );
  const call = callerOf(server.url);
  await call("first");
  expect(await call("second")).toMatchObject({
    ok: false,
    stderr: expect.stringContaining("its session was not found"),
  });
  expect(server.calls()).toHaveLength(2);
});

test("a stream that a restarting server refuses once is requested again", async () => {
  let asked = 0;
  let id: unknown;
  await using server = await startRawServer((received, response, request) => {
    if (received.method !== "GET") {
      return afterHandshake(({ body }, r) => {
        id = body.id;
        r.writeHead(200, { "content-type": "text/event-stream" }).end("id: e1\nretry: 10\ndata: \n\n");
      })(received, response, request);
    }
    asked += 1;
    if (asked === 1) return response.writeHead(503).end();
    return response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(`id: e2\ndata: ${JSON.stringify(rpcResult(id, {}))}\n\n`);
  });
  expect(await callerOf(server.url)("create", 20_000)).toMatchObject({ ok: true });
  expect(server.calls()).toHaveLength(1);
});

test("a call in flight ends as unknown when orch stops", async () => {
  await using server = await startSdkServer();
  const call = callerOf(server.url)("hold", 60_000);
  await expect.poll(() => server.calls().length).toBe(1);
  await Promise.all(open.map((servers) => servers.close()));
  expect(await call).toMatchObject({ ok: false, executed: "unknown" });
});

describe("a stream that cannot be resumed", () => {
  const resumable = (event: string) =>
    afterHandshake((received, response) => {
      if (received.body.params.name === "other") {
        setTimeout(() => sendJson(response, rpcResult(received.body.id, {})), 700);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" }).end(event);
    });

  test.each([
    [
      "refused",
      "id: e1\nretry: 10\ndata: \n\n",
      (response: { writeHead: (status: number) => { end: () => void } }) => response.writeHead(405).end(),
    ],
    [
      "missing",
      "id: e1\nretry: 10\ndata: \n\n",
      (response: { writeHead: (status: number) => { end: () => void } }) => response.writeHead(404).end(),
    ],
    ["named by nothing", "id:\ndata: \n\n", () => undefined],
  ])("ends its call at once: %s; other calls continue", async (_how, event, answer) => {
    await using server = await startRawServer((received, response, request) =>
      received.method === "GET" ? answer(response) : resumable(event)(received, response, request),
    );
    const call = callerOf(server.url);
    const other = call("other");
    const begun = performance.now();
    expect(await call("create", 30_000)).toMatchObject({ ok: false, executed: "unknown", timed_out: false });
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await other).toMatchObject({ ok: true });
    expect(server.calls()).toHaveLength(2);
  });

  test("is not requested without end", async () => {
    let asked = 0;
    await using server = await startRawServer((received, response, request) => {
      if (received.method !== "GET") return resumable("id: e1\nretry: 0\ndata: \n\n")(received, response, request);
      asked += 1;
      return response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`id: e${asked}\nretry: 0\ndata: \n\n`);
    });
    await callerOf(server.url)("create", 1_000);
    expect(asked).toBeLessThan(8);
  });
});

test("a stream that stays open after its response does not keep its connection", async () => {
  let connections = 0;
  await using server = await startRawServer(
    afterHandshake(({ body }, response, request) => {
      connections += 1;
      request.socket.once("close", () => {
        connections -= 1;
      });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(rpcResult(body.id, {}))}\n\n`);
    }),
  );
  const call = callerOf(server.url);
  for (let n = 0; n < 5; n += 1) expect(await call("one")).toMatchObject({ ok: true });
  await expect.poll(() => connections, { timeout: 5_000 }).toBe(0);
});
