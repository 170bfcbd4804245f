// mcp_call on the wire: servers with and without sessions, and one that knows only tools/call.
import { afterEach, describe, expect, test } from "vitest";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import type { ToolServers } from "../../../src/ports.ts";
import {
  afterHandshake,
  rpcError,
  rpcResult,
  type SdkServer,
  sendJson,
  startRawServer,
  startSdkServer,
} from "../../support/tool-server.ts";

const TOKEN = "token-of-the-notes-server";
const { signal } = new AbortController();
const bounds = (limit_ms = 10_000) => ({ limit_ms, signal });

let open: ToolServers[] = [];
afterEach(async () => {
  await Promise.all(open.map((servers) => servers.close()));
  open = [];
});

const serversAt = (url: string): ToolServers => {
  const servers = createToolServers({ servers: new Map([["notes", { url, token: TOKEN }]]), version: "1.2.3" });
  open.push(servers);
  return servers;
};

/** Without the streams that a session asks for. */
const posted = ({ received }: Pick<SdkServer, "received">) => received.filter(({ method }) => method === "POST");
const methods = (server: Pick<SdkServer, "received">) => posted(server).map(({ body }) => body?.method ?? null);

describe.each([false, true])("a server built with the SDK, sessions: %s", (sessions) => {
  test("gets one handshake and one call, and its response is stdout as JSON [2.kind.mcp_call]", async () => {
    await using server = await startSdkServer({ sessions });
    const servers = serversAt(server.url);
    const answer = await servers.call({ server: "NOTES", tool: "add", arguments: { a: 1, b: 2 } }, bounds());
    expect(answer).toEqual({ ok: true, stdout: '{"content":[{"type":"text","text":"3"}]}' });
    expect(methods(server)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
    expect(server.calls()[0]?.body.params).toEqual({ name: "add", arguments: { a: 1, b: 2 } });
  });

  test("gets the token with every request, and the name and version of orch", async () => {
    await using server = await startSdkServer({ sessions });
    await serversAt(server.url).call({ server: "notes", tool: "set", arguments: {} }, bounds());
    expect(posted(server).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
    for (const { headers } of server.received) expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(server.received[0]?.body.params.clientInfo).toEqual({ name: "orch", version: "1.2.3" });
  });

  test("gets one handshake, also for concurrent calls", async () => {
    await using server = await startSdkServer({ sessions });
    const servers = serversAt(server.url);
    const sums = Array.from({ length: 20 }, (_, a) =>
      servers.call({ server: "notes", tool: "add", arguments: { a, b: 1 } }, bounds()),
    );
    const texts = (await Promise.all(sums)).map((answer) =>
      answer.ok ? JSON.parse(answer.stdout).content[0].text : "",
    );
    expect(texts).toEqual(Array.from({ length: 20 }, (_, a) => String(a + 1)));
    expect(methods(server).filter((method) => method === "initialize")).toHaveLength(1);
  });

  test.each([
    ["an error the tool reports", "fail", {}, "it went wrong"],
    ["an error reported as content", "soft", {}, "Note not found"],
    ["a tool that is not there", "none", {}, "Tool none not found"],
    ["arguments it refuses", "add", { a: "x", b: 1 }, "expected number"],
  ])("%s is stderr", async (_what, tool, args, stderr) => {
    await using server = await startSdkServer({ sessions });
    const answer = await serversAt(server.url).call({ server: "notes", tool, arguments: args }, bounds());
    expect(answer).toMatchObject({ ok: false, stderr: expect.stringContaining(stderr), executed: true });
  });

  test("gets no second call after a time-out, and answers the next call", async () => {
    await using server = await startSdkServer({ sessions });
    const servers = serversAt(server.url);
    const late = await servers.call({ server: "notes", tool: "hold", arguments: {} }, bounds(200));
    expect(late).toMatchObject({ ok: false, executed: "unknown", timed_out: true });
    expect(server.calls()).toHaveLength(1);
    expect(await servers.call({ server: "notes", tool: "add", arguments: { a: 1, b: 1 } }, bounds())).toMatchObject({
      ok: true,
    });
  });

  test("a call that times out does not end others on the same connection", async () => {
    await using server = await startSdkServer({ sessions });
    const servers = serversAt(server.url);
    await servers.call({ server: "notes", tool: "set", arguments: {} }, bounds());
    const patient = servers.call({ server: "notes", tool: "hold", arguments: {} }, bounds());
    await servers.call({ server: "notes", tool: "hold", arguments: {} }, bounds(100));
    server.letGo();
    expect(await patient).toMatchObject({ ok: true });
  });

  test("a call that is stopped ends at once", async () => {
    await using server = await startSdkServer({ sessions });
    const stop = new AbortController();
    const call = serversAt(server.url).call(
      { server: "notes", tool: "hold", arguments: {} },
      { limit_ms: 60_000, signal: stop.signal },
    );
    await expect.poll(() => server.calls().length).toBe(1);
    stop.abort();
    expect(await call).toMatchObject({ ok: false, executed: "unknown", timed_out: false });
  });

  test("lists its tools, which of them only read, and which may be repeated", async () => {
    await using server = await startSdkServer({ sessions });
    const servers = serversAt(server.url);
    const listed = await servers.listTools("notes", bounds());
    expect("tools" in listed && listed.tools.find(({ name }) => name === "add")).toMatchObject({
      effect: "reads",
      idempotent: false,
      input_schema: { type: "object", required: ["a", "b"] },
    });
    const effects = ["add", "drop", "create", "none"].map((tool) =>
      servers.effectOf({ server: "notes", tool }, signal),
    );
    expect(await Promise.all(effects)).toEqual(["reads", "changes", "unknown", "unknown"]);
    const repeatable = ["add", "set", "create", "none"].map((tool) =>
      servers.mayRepeat({ server: "notes", tool }, signal),
    );
    expect(await Promise.all(repeatable)).toEqual([true, true, false, false]);
    expect(methods(server).filter((method) => method === "tools/list")).toHaveLength(2);
  });
});

test("a session that the server has forgotten is renewed once, and the call runs once", async () => {
  await using server = await startSdkServer({ sessions: true });
  const servers = serversAt(server.url);
  await servers.call({ server: "notes", tool: "create", arguments: { name: "one" } }, bounds());
  server.forgetSessions();
  expect(await servers.call({ server: "notes", tool: "create", arguments: { name: "two" } }, bounds())).toMatchObject({
    ok: true,
  });
  expect(server.called.map(({ args }) => args)).toEqual([{ name: "one" }, { name: "two" }]);
  expect(methods(server).filter((method) => method === "initialize")).toHaveLength(2);
});

test.each([
  ["the Python SDK", rpcError("server-error", -32_600, "Session not found")],
  ["a server that repeats the id of the request", "own id"],
  ["the TypeScript SDK", rpcError(null, -32_001, "Session not found")],
  ["a server that answers with a page", "<h1>Not Found</h1>"],
])("a server of %s that was started anew is called once, in a new session", async (_whose, refusal) => {
  let session = 1;
  await using server = await startRawServer((received, response, request) => {
    const { body, headers } = received;
    const id = `session-${session}`;
    if (body?.method === "tools/call" && headers["mcp-session-id"] !== id) {
      if (refusal === "<h1>Not Found</h1>")
        return response.writeHead(404, { "content-type": "text/html" }).end(refusal);
      return sendJson(response, refusal === "own id" ? rpcError(body.id, -32_600, "Session not found") : refusal, 404);
    }
    return afterHandshake(({ body: call }, r) => sendJson(r, rpcResult(call.id, { content: [] })), id)(
      received,
      response,
      request,
    );
  });
  const servers = serversAt(server.url);
  const call = { server: "notes", tool: "create", arguments: {} };
  expect(await servers.call(call, bounds())).toMatchObject({ ok: true });
  session += 1;
  expect(await servers.call(call, bounds())).toMatchObject({ ok: true });
  expect(methods(server).filter((method) => method === "initialize")).toHaveLength(2);
  expect(server.calls().map(({ headers }) => headers["mcp-session-id"])).toEqual([
    "session-1",
    "session-1",
    "session-2",
  ]);
});

test("an error with an id that is not that of the call does not say that nothing ran", async () => {
  await using server = await startRawServer(
    afterHandshake((_received, response) => sendJson(response, rpcError("server-error", -32_600, "no"))),
  );
  const answer = await serversAt(server.url).call({ server: "notes", tool: "create", arguments: {} }, bounds());
  expect(answer).toMatchObject({ ok: false, executed: "unknown" });
  expect(server.calls()).toHaveLength(1);
});

test("a call is sent at most twice to a server that forgets every session", async () => {
  let known = 1;
  await using server = await startRawServer(
    afterHandshake(({ body }, response) => {
      known -= 1;
      if (known >= 0) return sendJson(response, rpcResult(body.id, {}));
      return sendJson(response, rpcError(null, -32_001, "Session not found"), 404);
    }, "a-session"),
  );
  const servers = serversAt(server.url);
  const call = { server: "notes", tool: "create", arguments: {} };
  expect(await servers.call(call, bounds())).toMatchObject({ ok: true });
  const answer = await servers.call(call, bounds());
  expect(answer).toMatchObject({ ok: false, executed: false, stderr: expect.stringContaining("Session not found") });
  expect(server.calls()).toHaveLength(3);
});

test("a session is ended when orch stops", async () => {
  await using server = await startSdkServer({ sessions: true });
  const servers = serversAt(server.url);
  await servers.call({ server: "notes", tool: "set", arguments: {} }, bounds());
  await servers.close();
  expect(server.received.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": expect.any(String) } });
});

test("a server that knows only tools/call gets a stateless request [4.mcp.request] [4.mcp.post]", async () => {
  await using server = await startRawServer(({ body }, response) =>
    body?.method === "tools/call"
      ? sendJson(response, rpcResult(body.id, { content: [{ type: "text", text: "done" }] }))
      : sendJson(response, rpcError(body?.id ?? null, -32_601, "Method not found")),
  );
  const servers = serversAt(server.url);
  const call = { server: "notes", tool: "create", arguments: { name: "x" } };
  expect(await servers.call(call, bounds())).toEqual({
    ok: true,
    stdout: '{"content":[{"type":"text","text":"done"}]}',
  });
  await servers.call(call, bounds());
  expect(methods(server)).toEqual(["initialize", "tools/call", "tools/call"]);
  expect(server.calls()[0]?.method).toBe("POST");
  expect(server.calls()[0]?.body).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "create", arguments: { name: "x" } },
  });
  expect(await servers.mayRepeat(call, signal)).toBe(false);
});

test("a server of the newer revision alone gets the headers and metadata of that revision", async () => {
  await using server = await startRawServer(({ body, headers }, response) =>
    headers["mcp-protocol-version"] === "2026-07-28"
      ? sendJson(response, rpcResult(body.id, { resultType: "complete", content: [] }))
      : sendJson(response, rpcError(body?.id ?? null, -32_022, "Unsupported protocol version"), 400),
  );
  const servers = serversAt(server.url);
  const call = { server: "notes", tool: "create", arguments: {} };
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  expect(await servers.call(call, { ...bounds(), traceparent })).toMatchObject({ ok: true });
  expect(server.calls().at(-1)).toMatchObject({
    headers: { "mcp-method": "tools/call", "mcp-name": "create", authorization: `Bearer ${TOKEN}` },
    body: { params: { _meta: { traceparent, "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
  });
  const before = server.received.length;
  await servers.call(call, bounds());
  expect(server.received).toHaveLength(before + 1);
});

test.each([
  ["the token, whatever the URL holds", "orch:p%40ss@", TOKEN, `Bearer ${TOKEN}`],
  ["name and password of the URL without a token", "orch:p%40ss@", null, `Basic ${btoa("orch:p@ss")}`],
  ["nothing where there is nothing", "", null, undefined],
])("a server gets %s", async (_what, account, token, expected) => {
  await using server = await startSdkServer();
  const url = server.url.replace("//", `//${account}`);
  const servers = createToolServers({ servers: new Map([["notes", { url, token }]]), version: "1" });
  open.push(servers);
  expect(await servers.call({ server: "notes", tool: "set", arguments: {} }, bounds())).toMatchObject({ ok: true });
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(expected));
});

test("an unknown server is an error that names the variable to set", async () => {
  const answer = await createToolServers({ servers: new Map(), version: "1" }).call(
    { server: "Gitserver", tool: "x", arguments: {} },
    bounds(),
  );
  expect(answer).toMatchObject({ ok: false, executed: false, stderr: expect.stringContaining("MCP_GITSERVER_URL") });
});
