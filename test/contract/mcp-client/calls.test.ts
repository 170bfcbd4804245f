// mcp_call on the wire: servers with and without sessions, and one that knows only tools/call.
import { describe, expect, test } from "vitest";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import {
  afterHandshake,
  BOUNDS,
  http,
  inSession,
  naive,
  openClient,
  result,
  rpc,
  rpcError,
  rpcResult,
  type SdkServer,
  sendJson,
  startRawServer,
  startSdkServer,
  type ToolAnswer,
} from "../../support/tool-server.ts";

const TOKEN = "a-token";
const { signal } = BOUNDS;

/** Without the streams that a session asks for. */
const posted = ({ received }: Pick<SdkServer, "received">) => received.filter(({ method }) => method === "POST");
const methods = (server: Pick<SdkServer, "received">) => posted(server).map(({ body }) => body?.method ?? null);

describe.each([false, true])("a server built with the SDK, sessions: %s", (sessions) => {
  test("gets one handshake and one call, and its response is stdout as JSON [2.kind.mcp_call]", async () => {
    await using server = await startSdkServer({ sessions });
    await using client = openClient(server.url);
    const answer = await client.servers.call({ server: "X", tool: "add", arguments: { a: 1, b: 2 } }, BOUNDS);
    expect(answer).toEqual({ ok: true, stdout: '{"content":[{"type":"text","text":"3"}]}' });
    expect(methods(server)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
    expect(server.calls()[0]?.body.params).toEqual({ name: "add", arguments: { a: 1, b: 2 } });
    for (const { headers } of server.received) expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(server.received[0]?.body.params.clientInfo).toEqual({ name: "orch", version: "1.2.3" });
  });

  test("gets one handshake, also for concurrent calls", async () => {
    await using server = await startSdkServer({ sessions });
    await using client = openClient(server.url);
    const sums = await Promise.all(Array.from({ length: 20 }, (_, a) => client.call("add", { a, b: 1 })));
    const texts = sums.map((answer) => (answer.ok ? JSON.parse(answer.stdout).content[0].text : ""));
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
    await using client = openClient(server.url);
    const answer = await client.call(tool, args);
    expect(answer).toMatchObject({ ok: false, stderr: expect.stringContaining(stderr), executed: true });
  });

  test("gets no second call after a time-out, which ends no other call, and answers the next one", async () => {
    await using server = await startSdkServer({ sessions });
    await using client = openClient(server.url);
    await client.call("set");
    const patient = client.call("hold");
    const late = await client.call("hold", {}, { limit_ms: 200 });
    expect(late).toMatchObject({ ok: false, executed: "unknown", timed_out: true });
    expect(server.calls()).toHaveLength(3);
    expect(await client.call("add", { a: 1, b: 1 })).toMatchObject({ ok: true });
    server.letGo();
    expect(await patient).toMatchObject({ ok: true });
  });

  test("a call that is stopped ends at once", async () => {
    await using server = await startSdkServer({ sessions });
    await using client = openClient(server.url);
    const stop = new AbortController();
    const call = client.call("hold", {}, { limit_ms: 60_000, signal: stop.signal });
    await expect.poll(() => server.calls().length).toBe(1);
    stop.abort();
    expect(await call).toMatchObject({ ok: false, executed: "unknown", timed_out: false });
  });

  test("lists its tools, which of them only read, and which may be repeated", async () => {
    await using server = await startSdkServer({ sessions });
    await using client = openClient(server.url);
    const { servers } = client;
    const listed = await servers.listTools("x", BOUNDS);
    expect("tools" in listed && listed.tools.find(({ name }) => name === "add")).toMatchObject({
      effect: "reads",
      idempotent: false,
      input_schema: { type: "object", required: ["a", "b"] },
    });
    const effects = ["add", "drop", "create", "none"].map((tool) => servers.effectOf({ server: "x", tool }, signal));
    expect(await Promise.all(effects)).toEqual(["reads", "changes", "unknown", "unknown"]);
    const repeatable = ["add", "set", "create", "none"].map((tool) => servers.mayRepeat({ server: "x", tool }, signal));
    expect(await Promise.all(repeatable)).toEqual([true, true, false, false]);
    expect(methods(server).filter((method) => method === "tools/list")).toHaveLength(2);
  });
});

test("a session that the server has forgotten is renewed once, and the call runs once", async () => {
  await using server = await startSdkServer({ sessions: true });
  await using client = openClient(server.url);
  await client.call("create", { name: "one" });
  server.forgetSessions();
  expect(await client.call("create", { name: "two" })).toMatchObject({ ok: true });
  expect(server.called.map(({ args }) => args)).toEqual([{ name: "one" }, { name: "two" }]);
  expect(methods(server).filter((method) => method === "initialize")).toHaveLength(2);
});

test.each<[string, ToolAnswer]>([
  ["the Python SDK", (_id, r) => sendJson(r, rpcError("server-error", -32_600, "Session not found"), 404)],
  ["a server that repeats the id of the request", rpc(-32_600, "Session not found", 404)],
  ["the TypeScript SDK", (_id, r) => sendJson(r, rpcError(null, -32_001, "Session not found"), 404)],
  ["a server that answers with a page", http(404, "<h1>Not Found</h1>")],
])("a server of %s that was started anew is called once, in a new session", async (_whose, refuse) => {
  let session = 1;
  await using server = await startRawServer((received, response, request) => {
    const id = `session-${session}`;
    return received.body?.method === "tools/call" && received.headers["mcp-session-id"] !== id
      ? refuse(received.body.id, response)
      : inSession(result({ content: [] }), id)(received, response, request);
  });
  await using client = openClient(server.url);
  expect(await client.call()).toMatchObject({ ok: true });
  session += 1;
  expect(await client.call()).toMatchObject({ ok: true });
  expect(methods(server).filter((method) => method === "initialize")).toHaveLength(2);
  const sessions = server.calls().map(({ headers }) => headers["mcp-session-id"]);
  expect(sessions).toEqual(["session-1", "session-1", "session-2"]);
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
  await using client = openClient(server.url);
  expect(await client.call()).toMatchObject({ ok: true });
  const answer = await client.call();
  expect(answer).toMatchObject({ ok: false, executed: false, stderr: expect.stringContaining("Session not found") });
  expect(server.calls()).toHaveLength(3);
});

test("a session is ended when orch stops", async () => {
  await using server = await startSdkServer({ sessions: true });
  const { call, servers } = openClient(server.url);
  await call("set");
  await servers.close();
  expect(server.received.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": expect.any(String) } });
});

test("a server that knows only tools/call gets a stateless request [4.mcp.request] [4.mcp.post]", async () => {
  await using server = await startRawServer(naive(result({ content: [{ type: "text", text: "done" }] })));
  await using client = openClient(server.url);
  const done = { ok: true, stdout: '{"content":[{"type":"text","text":"done"}]}' };
  expect(await client.call("create", { name: "x" })).toEqual(done);
  await client.call("create", { name: "x" });
  expect(methods(server)).toEqual(["initialize", "tools/call", "tools/call"]);
  const params = { name: "create", arguments: { name: "x" } };
  expect(server.calls()[0]).toMatchObject({ method: "POST" });
  expect(server.calls()[0]?.body).toEqual({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  expect(await client.servers.mayRepeat({ server: "x", tool: "create" }, signal)).toBe(false);
});

test("a server of the newer revision alone gets the headers and metadata of that revision", async () => {
  await using server = await startRawServer(({ body, headers }, response) =>
    headers["mcp-protocol-version"] === "2026-07-28"
      ? sendJson(response, rpcResult(body.id, { resultType: "complete", content: [] }))
      : sendJson(response, rpcError(body?.id ?? null, -32_022, "Unsupported protocol version"), 400),
  );
  await using client = openClient(server.url);
  const call = { server: "x", tool: "create", arguments: {} };
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  expect(await client.servers.call(call, { ...BOUNDS, traceparent })).toMatchObject({ ok: true });
  expect(server.calls().at(-1)).toMatchObject({
    headers: { "mcp-method": "tools/call", "mcp-name": "create", authorization: `Bearer ${TOKEN}` },
    body: { params: { _meta: { traceparent, "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
  });
  const before = server.received.length;
  await client.call();
  expect(server.received).toHaveLength(before + 1);
});

test.each([
  ["the token, whatever the URL holds", "orch:p%40ss@", TOKEN, `Bearer ${TOKEN}`],
  ["name and password of the URL without a token", "orch:p%40ss@", null, `Basic ${btoa("orch:p@ss")}`],
  ["nothing where there is nothing", "", null, undefined],
])("a server gets %s", async (_what, account, token, expected) => {
  await using server = await startSdkServer();
  await using client = openClient(server.url.replace("//", `//${account}`), token);
  expect(await client.call("set")).toMatchObject({ ok: true });
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(expected));
});

test("an unknown server is an error that names the variable to set", async () => {
  const servers = createToolServers({ servers: new Map(), version: "1" });
  const answer = await servers.call({ server: "Gitserver", tool: "x", arguments: {} }, BOUNDS);
  expect(answer).toMatchObject({ ok: false, executed: false, stderr: expect.stringContaining("MCP_GITSERVER_URL") });
});
