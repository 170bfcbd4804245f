// What else than messages a client writes to stdin.
import { afterEach, expect, test } from "vitest";
import { TOKEN } from "../../support/http-endpoint.ts";
import { startBridge } from "../../support/mcp-bridge.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

const leftovers: { stop: () => Promise<unknown> | unknown }[] = [];
afterEach(async () => {
  for (const { stop } of leftovers.splice(0)) await stop();
});

async function open() {
  const endpoint = await startMcp();
  const bridge = startBridge(endpoint.url, TOKEN);
  leftovers.push(endpoint, { stop: () => bridge.child.kill("SIGKILL") });
  return bridge;
}

test("lines that cannot be used are answered as JSON-RPC does, and end nothing", async () => {
  const bridge = await open();
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
  const bridge = await open();
  bridge.stdin.end(JSON.stringify(PING));
  expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(await bridge.exited).toBe(0);
});
