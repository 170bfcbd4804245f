// What the flow's script sends to a tool server: as little as there has to be, and a call once.
import { expect, test } from "vitest";
import { argumentsFor } from "../../../src/execution/test/integration/flow/a-job.ts";
import { startFlowJob } from "../../simulators/flow-engine/flow-job.ts";
import { mcpCall } from "../../support/builders.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer, startSdkServer } from "../../support/tool-server.ts";

type Handler = Parameters<typeof startRawServer>[0];

const TOKEN = "token-of-the-notes-server";
const EVENTS = { "content-type": "text/event-stream" };
const call = (tool: string, args: object = {}) => mcpCall({ tool, arguments: { ...args } });

type Server = Awaited<ReturnType<typeof startRawServer>>;

/** The calls of `steps` with a token, and the requests that came of them. */
const requestsOf = (server: Server, ...steps: ReturnType<typeof call>[]) =>
  requestsAs(server, { url: server.url, token: TOKEN }, ...steps);

async function requestsAs(server: Server, notes: { url: string; token: string }, ...steps: ReturnType<typeof call>[]) {
  const job = await startFlowJob(argumentsFor(steps, { notes }));
  const ended = await job.ended;
  const methods = server.received.map(({ body, method }) => body?.method ?? method);
  return { result: ended?.result, methods, count: (name: string) => methods.filter((one) => one === name).length };
}

test("the flow's client shakes hands once for all calls of a run, shows its token each time, and ends its session", async () => {
  await using server = await startSdkServer({ sessions: true });
  const { count } = await requestsOf(server, call("set"), call("add", { a: 1, b: 2 }), call("set"));
  expect([count("initialize"), count("notifications/initialized"), count("tools/call")]).toEqual([1, 1, 3]);
  expect(count("DELETE")).toBe(1);
  const sessions = server.received.slice(1).map(({ headers }) => headers["mcp-session-id"]);
  expect(new Set(sessions).size).toBe(1);
  expect(sessions[0]).toMatch(/./);
  for (const { headers } of server.received) expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
  for (const { headers } of server.received.slice(1)) expect(headers["mcp-protocol-version"]).toBe("2025-11-25");
});

test.each([401, 403, 429, 500, 503])(
  "the flow's client does not call a server that refuses its handshake with %i",
  async (status) => {
    await using server = await startRawServer((_received, response) => response.writeHead(status).end("no"));
    const { result, count } = await requestsOf(server, call("create"));
    expect(result).toMatchObject({ step_results: [{ status: "failed", stderr: `HTTP ${status} no` }] });
    expect(count("tools/call")).toBe(0);
  },
);

test.each([400, 404, 405, 415])(
  "the flow's client makes the bare call, once, to a server that refuses it with %i",
  async (status) => {
    const handler: Handler = ({ body }, response) =>
      body?.method === "tools/call"
        ? sendJson(response, rpcResult(body.id, { content: [] }))
        : response.writeHead(status).end("no");
    await using server = await startRawServer(handler);
    const { result, count } = await requestsOf(server, call("create"));
    expect(result).toMatchObject({ ok: true });
    expect(count("tools/call")).toBe(1);
  },
);

test.each<[string, Handler]>([
  ["is cut off", (_received, response) => response.destroy()],
  [
    "is cut off in the middle of its answer",
    (_received, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 99 }).write("{");
      setTimeout(() => response.destroy(), 30);
    },
  ],
  [
    "gets a stream that is cut",
    (_received, response) => {
      response.writeHead(200, EVENTS).write(": nothing\n\n");
      setTimeout(() => response.destroy(), 30);
    },
  ],
  ["fails inside", (_received, response) => response.writeHead(500).end()],
  ["is lost at a gateway", (_received, response) => response.writeHead(502).end()],
  ["is accepted", (_received, response) => response.writeHead(202).end()],
  ["is redirected", (_received, response) => response.writeHead(307, { location: "/elsewhere" }).end()],
  ["is answered with a page", (_received, response) => response.writeHead(200, { "content-type": "text/html" }).end()],
])("the flow's client makes a call once, also one that %s", async (_what, answer) => {
  await using server = await startRawServer(
    afterHandshake((received, response, request) =>
      received.body.method === "tools/call"
        ? answer(received, response, request)
        : sendJson(response, rpcResult(received.body.id, { tools: [] })),
    ),
  );
  const { result, count } = await requestsOf(server, call("create"));
  expect(result).toMatchObject({ ok: false });
  expect(count("tools/call")).toBe(1);
  expect(server.received.every(({ headers }) => headers.host === `127.0.0.1:${server.port}`)).toBe(true);
});

test("the flow's client uses an id once in a session, asks for plain text, and keeps no connection", async () => {
  await using server = await startSdkServer({ sessions: true });
  await requestsOf(server, call("set"), call("set"));
  const ids = server.received.flatMap(({ body }) => body?.id ?? []);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(4);
  for (const { headers } of server.received) {
    expect([headers["accept-encoding"], headers.connection]).toEqual(["identity", "close"]);
  }
});

test.each([
  ["ping", { result: {} }],
  ["roots/list", { error: { code: -32_601, message: "Method not found" } }],
])("the flow's client answers a server that asks for %s before it answers", async (method, expected) => {
  const asked = Promise.withResolvers<unknown>();
  await using server = await startRawServer(
    afterHandshake(async ({ body }, response) => {
      if (body.id === "srv-1") {
        asked.resolve(body);
        return response.writeHead(202).end();
      }
      if (body.method !== "tools/call") return sendJson(response, rpcResult(body.id, { tools: [] }));
      response.writeHead(200, EVENTS);
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: "srv-1", method })}\n\n`);
      await asked.promise;
      return response.end(`data: ${JSON.stringify(rpcResult(body.id, { content: [] }))}\n\n`);
    }),
  );
  const { result } = await requestsOf(server, call("create"));
  expect(result).toMatchObject({ ok: true });
  expect(await asked.promise).toEqual({ jsonrpc: "2.0", id: "srv-1", ...expected });
});

test("the flow's client resumes a stream that ends before its answer, and makes the call once", async () => {
  let id: unknown;
  await using server = await startRawServer((received, response, request) => {
    const done = `data: ${JSON.stringify(rpcResult(id, { content: [] }))}\n\n`;
    if (received.method === "GET") return response.writeHead(200, EVENTS).end(done);
    return afterHandshake(({ body }, answer) => {
      id = body.id;
      answer.writeHead(200, EVENTS).end("id: e1\nretry: 10\ndata: \n\n");
    })(received, response, request);
  });
  const { result, count } = await requestsOf(server, call("create"));
  expect(result).toMatchObject({ ok: true });
  expect(count("tools/call")).toBe(1);
});

test.each([
  ["a name and a password of the URL", "me:p%20w%25@", "", `Basic ${btoa("me:p w%")}`],
  ["the token, for any URL", "me:pw@", TOKEN, `Bearer ${TOKEN}`],
  ["nothing where there is nothing", "", "", undefined],
])("the flow's client shows %s", async (_what, account, token, expected) => {
  await using server = await startSdkServer();
  await requestsAs(server, { url: server.url.replace("//", `//${account}`), token }, call("set"));
  expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(new Set([expected]));
});
