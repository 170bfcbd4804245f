// T7: what a server asks outside of its responses is answered, on the stream that it may offer, so that no call waits for it.
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import type { ToolServers } from "../../../src/ports.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

const { signal } = new AbortController();

let open: ToolServers[] = [];
afterEach(async () => {
  await Promise.all(open.map((servers) => servers.close()));
  open = [];
});

function callerOf(url: string) {
  const servers = createToolServers({ servers: new Map([["x", { url, token: null }]]), version: "1" });
  open.push(servers);
  return () => servers.call({ server: "x", tool: "one", arguments: {} }, { limit_ms: 20_000, signal });
}

const ASKED = "asked-by-the-server";

/** In each call it asks something on its own stream, and answers the call once it is answered. */
function startAsking(method: string) {
  let stream: ServerResponse | null = null;
  let waiting: (() => void) | null = null;
  const answers: object[] = [];
  return startRawServer((received, response, request) => {
    if (received.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return response.flushHeaders();
    }
    if (received.body?.id === ASKED) {
      answers.push(received.body);
      waiting?.();
      return response.writeHead(202).end();
    }
    return afterHandshake(({ body }, r) => {
      waiting = () => sendJson(r, rpcResult(body.id, { content: [], answered: answers.length }));
      stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: ASKED, method, params: {} })}\n\n`);
    }, "a-session")(received, response, request);
  });
}

describe("in the middle of a call a server that offers a stream", () => {
  test.each<[string, object]>([
    ["ping", { result: {} }],
    ["sampling/createMessage", { error: { code: -32_601, message: "Method not found" } }],
    ["roots/list", { error: { code: -32_601, message: "Method not found" } }],
    ["elicitation/create", { error: { code: -32_601, message: "Method not found" } }],
  ])("may ask %s, and is answered", async (method, answer) => {
    await using server = await startAsking(method);
    const call = callerOf(server.url);
    for (const answered of [1, 2])
      expect(await call()).toEqual({ ok: true, stdout: JSON.stringify({ content: [], answered }) });
    const answers = server.received.filter(({ body }) => body?.id === ASKED);
    expect(answers.map(({ body }) => body)).toEqual(Array(2).fill({ jsonrpc: "2.0", id: ASKED, ...answer }));
    expect(answers[0]?.headers).toMatchObject({ "mcp-session-id": "a-session" });
    expect(server.received.filter(({ method: verb }) => verb === "GET")).toHaveLength(1);
  });
});

/** Answers each GET as given, and each call at once. */
const startAnswering = (get: (response: ServerResponse) => unknown) =>
  startRawServer((received, response, request) =>
    received.method === "GET"
      ? get(response)
      : afterHandshake(({ body }, r) => sendJson(r, rpcResult(body.id, {})), "a-session")(received, response, request),
  );

const asksOf = ({ received }: Awaited<ReturnType<typeof startRawServer>>) =>
  received.filter(({ method }) => method === "GET").length;

test.each<[string, number, (response: ServerResponse) => unknown]>([
  ["has none", 1, (response) => response.writeHead(405).end()],
  ["has a page there", 1, (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
  ["is busy", 3, (response) => response.writeHead(503).end()],
  ["has another one that is still open", 3, (response) => response.writeHead(409).end()],
  ["breaks the connection", 3, (response) => response.destroy()],
  ["does not answer", 1, () => undefined],
])(
  "a server that %s is called all the same, and asked %i times for its stream in three calls",
  async (_, asked, get) => {
    await using server = await startAnswering(get);
    const call = callerOf(server.url);
    for (let n = 0; n < 3; n += 1) expect(await call()).toMatchObject({ ok: true });
    expect(asksOf(server)).toBe(asked);
  },
);

test("a stream that has ended is opened anew before the next call", async () => {
  const streams: ServerResponse[] = [];
  await using server = await startAnswering((response) => {
    streams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
    response.flushHeaders();
  });
  const call = callerOf(server.url);
  await call();
  await call();
  expect(streams).toHaveLength(1);
  const ended = Promise.withResolvers<void>();
  streams[0]?.once("close", ended.resolve).end();
  await ended.promise;
  await expect
    .poll(async () => {
      await call();
      return streams.length;
    })
    .toBe(2);
});

test("a server without sessions is not asked for a stream", async () => {
  await using server = await startRawServer((received, response, request) =>
    received.method === "GET"
      ? response.writeHead(405).end()
      : afterHandshake(({ body }, r) => sendJson(r, rpcResult(body.id, {})))(received, response, request),
  );
  expect(await callerOf(server.url)()).toMatchObject({ ok: true });
  expect(asksOf(server)).toBe(0);
});

test("the stream is closed with the session", async () => {
  let connections = 0;
  await using server = await startRawServer((received, response, request) => {
    connections += 1;
    request.socket.once("close", () => {
      connections -= 1;
    });
    if (received.method !== "GET")
      return afterHandshake(({ body }, r) => sendJson(r, rpcResult(body.id, {})), "s")(received, response, request);
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.flushHeaders();
  });
  expect(await callerOf(server.url)()).toMatchObject({ ok: true });
  await expect.poll(() => connections).toBe(1);
  await Promise.all(open.map((servers) => servers.close()));
  await expect.poll(() => connections).toBe(0);
});

/** Pings without end on its own stream, and takes no answer until `release`. */
function startPinging() {
  const seen = { open: 0, answers: 0 };
  const released = Promise.withResolvers<void>();
  const ping = `data: ${JSON.stringify({ jsonrpc: "2.0", id: "p", method: "ping" })}\n\n`;
  const starting = startRawServer((received, response, request) => {
    if (received.method === "GET") {
      seen.open += 1;
      const timer = setInterval(() => response.write(ping), 5);
      request.socket.once("close", () => {
        clearInterval(timer);
        seen.open -= 1;
      });
      return response.writeHead(200, { "content-type": "text/event-stream" }).write(ping.repeat(200));
    }
    if (received.body?.id === "p") {
      seen.answers += 1;
      // Not all at once, so that there is always one under way.
      const late_ms = 50 + 10 * (seen.answers % 16);
      return released.promise.then(() => setTimeout(() => response.writeHead(202).end(), late_ms));
    }
    return afterHandshake(({ body }, r) => sendJson(r, rpcResult(body.id, {})), "a-session")(
      received,
      response,
      request,
    );
  });
  return { starting, seen, release: released.resolve };
}

test("a server that asks without end on the stream of a response gets 16 answers at once, and its session ends after them", async () => {
  const PINGS = 200;
  const released = Promise.withResolvers<void>();
  const seen = { answers: 0, ended: false, late: 0 };
  const ping = `data: ${JSON.stringify({ jsonrpc: "2.0", id: "p", method: "ping" })}\n\n`;
  await using server = await startRawServer((received, response, request) => {
    if (received.method === "GET") return response.writeHead(405).end();
    if (received.method === "DELETE") {
      seen.ended = true;
      return response.writeHead(204).end();
    }
    if (received.body?.id === "p") {
      seen.answers += 1;
      return released.promise.then(() => {
        if (seen.ended) seen.late += 1;
        response.writeHead(202).end();
      });
    }
    return afterHandshake(({ body }, r) => {
      const result = `data: ${JSON.stringify(rpcResult(body.id, {}))}\n\n`;
      r.writeHead(200, { "content-type": "text/event-stream" }).end(ping.repeat(PINGS) + result);
    }, "a-session")(received, response, request);
  });
  const call = callerOf(server.url);
  expect(await call()).toMatchObject({ ok: true });
  await expect.poll(() => seen.answers).toBe(16);
  expect(await call()).toMatchObject({ ok: true });
  expect(seen).toEqual({ answers: 16, ended: false, late: 0 });
  const closed = Promise.all(open.map((servers) => servers.close()));
  released.resolve();
  await closed;
  expect(seen).toEqual({ answers: 16, ended: true, late: 0 });
});

test("a server that asks without end gets 16 answers at once, and its stream ends with the session", async () => {
  const { starting, seen, release } = startPinging();
  await using server = await starting;
  const call = callerOf(server.url);
  expect(await call()).toMatchObject({ ok: true });
  await expect.poll(() => seen.answers).toBe(16);
  expect(await call()).toMatchObject({ ok: true });
  expect(seen).toEqual({ open: 1, answers: 16 });
  release();
  await Promise.all(open.map((servers) => servers.close()));
  await expect.poll(() => seen.open).toBe(0);
});
