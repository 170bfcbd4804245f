// The process that serves MCP on stdin and stdout, with a server that is up, down, restarted, slow or refuses.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, test } from "vitest";
import type { Caller } from "../../../src/api/operations/operation.ts";
import { check } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { freePort } from "../../support/free-port.ts";
import { TOKEN } from "../../support/http-endpoint.ts";
import { BRIDGE, bridgeEnvironment, startBridge } from "../../support/mcp-bridge.ts";
import { connectMcp } from "../../support/mcp-client.ts";
import { type RunningMcp, startMcp, toolCall } from "../../support/mcp-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

const leftovers: { stop: () => Promise<unknown> | unknown }[] = [];
afterEach(async () => {
  for (const { stop } of leftovers.splice(0)) await stop();
});

async function start(options: Parameters<typeof startMcp>[0] = {}): Promise<RunningMcp> {
  const endpoint = await startMcp(options);
  leftovers.push(endpoint);
  return endpoint;
}

/** The official client, which starts the bridge itself. */
async function connect(url: string, token = TOKEN) {
  const env = bridgeEnvironment(url, token);
  const transport = new StdioClientTransport({ command: process.execPath, args: [BRIDGE], env, stderr: "pipe" });
  const supervisor = await connectMcp(transport);
  leftovers.push({ stop: () => supervisor.client.close() });
  return supervisor;
}

function openBridge(url: string, token = TOKEN) {
  const bridge = startBridge(url, token);
  leftovers.push({ stop: () => bridge.child.kill("SIGKILL") });
  return bridge;
}

describe("a client on stdin", () => {
  test("lists, calls, reads and is refused as over HTTP", async () => {
    const { url } = await start();
    const supervisor = await connect(url);
    expect(supervisor.client.getServerVersion()).toMatchObject({ name: "orch" });
    expect(supervisor.client.getInstructions()).toContain("submit_task");
    expect(supervisor.tools.map(({ name }) => name)).toEqual(someOperations().map(({ name }) => name));
    expect(await supervisor.call("orch__get_thing", { thing_id: "x" })).toMatchObject({ token_id: "supervisor" });
    expect((await supervisor.fault("change_thing")).code).toBe("input_invalid");
    await expect(supervisor.call("nothing")).rejects.toMatchObject({ code: -32602 });
    await expect(supervisor.client.readResource({ uri: "orch://x" })).rejects.toMatchObject({ code: -32002 });
  });

  test("gets progress, and its waits do not block its other calls", async () => {
    await using engine = await openEngine();
    const { url } = await start({ operations: engine.operations });
    await engine.learn("deploy", engine.targetOf("slow"), [engine.holding("slow"), check("test -d /")]);
    const supervisor = await connect(url);
    const told: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void told.push(progress);
    const waiting = supervisor.call("submit_task", { ...engine.contract("slow"), wait_seconds: 20 }, { onprogress });
    await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(await supervisor.call("get_task", { task_id: "slow" })).toMatchObject({ status: "running" });
    engine.letGo("slow");
    expect(await waiting).toMatchObject({ status: "ok" });
  });

  test("that speaks 2026-07-28 is served without initialize", async () => {
    const { url } = await start();
    const bridge = openBridge(url);
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", [CAPABILITIES]: {} };
    const ask = (id: number, method: string, params: object = {}) =>
      bridge.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
    ask(1, "server/discover");
    expect(await bridge.next()).toMatchObject({ id: 1, result: { supportedVersions: ["2026-07-28"] } });
    ask(2, "tools/call", { name: "get_thing", arguments: { thing_id: "x" } });
    expect(await bridge.next()).toMatchObject({ id: 2, result: { structuredContent: { thing_id: "x" } } });
    ask(3, "resources/read", { uri: "orch://ü" });
    expect(await bridge.next()).toMatchObject({ id: 3, error: { code: -32602 } });
    ask(4, "ping");
    expect(await bridge.next()).toMatchObject({ id: 4, error: { code: -32601 } });
  });

  test("that cancels a request ends its wait at the server, and gets no response to it", async () => {
    const { promise: waiting, resolve } = Promise.withResolvers<Caller>();
    const { url } = await start({ operations: someOperations(resolve) });
    const bridge = openBridge(url);
    bridge.send(toolCall("wait", {}, 7));
    const { signal } = await waiting;
    bridge.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await expect.poll(() => signal.aborted).toBe(true);
    bridge.send(PING);
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("uses the revision that it has agreed on", async () => {
    const seen: unknown[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = await request.toArray();
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
      seen.push([method, request.headers["mcp-protocol-version"], request.headers.authorization]);
      const result =
        method === "initialize" ? { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: INFO } : {};
      response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    leftovers.push({ stop: () => server.close() });
    const bridge = openBridge(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: INFO };
    bridge.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect(await bridge.next()).toMatchObject({ id: 1, result: { protocolVersion: "2025-06-18" } });
    bridge.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    bridge.send({ jsonrpc: "2.0", id: "two", method: "ping" });
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: "two", result: {} });
    expect(seen).toEqual([
      ["initialize", undefined, `Bearer ${TOKEN}`],
      ["ping", "2025-06-18", `Bearer ${TOKEN}`],
    ]);
  });
});

const INFO = { name: "a", version: "1" };

describe("a server", () => {
  test("that is down is an error that says how to start it, and requests work once it is up", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const bridge = openBridge(url);
    bridge.send(PING);
    expect(await bridge.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32000,
        message: `orch cannot be reached at ${url} (ECONNREFUSED). Start it with: orch serve`,
        data: { code: "ECONNREFUSED" },
      },
    });
    const endpoint = await start({ port });
    bridge.send({ ...PING, id: 2 });
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
    await endpoint.stop();
    bridge.send({ ...PING, id: 3 });
    expect(await bridge.next()).toMatchObject({ id: 3, error: { code: -32000 } });
    await start({ port });
    bridge.send({ ...PING, id: 4 });
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 4, result: {} });
  });

  test.each([
    ["hangs up in the middle of an answer", "destroy"],
    ["ends its answer without one", "end"],
  ] as const)("that %s leaves the outcome open, and the error says so", async (_title, how) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": here\n\n", () => response[how]());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    leftovers.push({ stop: () => server.close() });
    const bridge = openBridge(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    bridge.send(toolCall("submit_task", {}, 5));
    expect(await bridge.next()).toMatchObject({
      id: 5,
      error: { code: -32000, message: expect.stringContaining("The call may have taken effect") },
    });
  });
});

describe("the process", () => {
  test("ends with stdin after pending responses, and writes nothing else to stdout", async () => {
    const { url } = await start();
    const bridge = openBridge(url);
    bridge.send(toolCall("get_thing", { thing_id: "x" }, 1));
    bridge.stdin.end();
    expect(await bridge.next()).toMatchObject({ id: 1, result: { structuredContent: { thing_id: "x" } } });
    expect(await bridge.next()).toBeNull();
    expect(await bridge.exited).toBe(0);
    expect(bridge.stderr()).toBe("");
  });

  test("does not wait for a slow response after stdin has ended", async () => {
    const { promise: waiting, resolve } = Promise.withResolvers<Caller>();
    const { url } = await start({ operations: someOperations(resolve) });
    const bridge = openBridge(url);
    bridge.send(toolCall("wait"));
    const { signal } = await waiting;
    bridge.stdin.end();
    expect(await bridge.exited).toBe(0);
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

test("lines that cannot be used are answered as JSON-RPC does, and end nothing", async () => {
  const bridge = openBridge((await start()).url);
  const lines: [unknown, number][] = [
    ["not json", -32700],
    [{ jsonrpc: "1.0", id: 9, method: "ping" }, -32600],
    [[PING, PING], -32600],
    [null, -32600],
    ["x".repeat(11 * 1024 * 1024), -32600],
  ];
  for (const [line, code] of lines) {
    bridge.send(line);
    expect(await bridge.next()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  }
  bridge.send("");
  bridge.send(PING);
  expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(bridge.stderr()).toBe("");
});

test("a last line may lack its end", async () => {
  const bridge = openBridge((await start()).url);
  bridge.stdin.end(JSON.stringify(PING));
  expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(await bridge.exited).toBe(0);
});
