// Servers built with the next line of the SDK, whose revision of the protocol has no handshake: those that also understand
// the older ones, and those that do not.
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { BOUNDS, openClient, startRawServer } from "../../support/tool-server.ts";

function buildServer(): McpServer {
  const server = new McpServer({ name: "newer", version: "1" });
  const adding = { inputSchema: z.object({ a: z.number(), b: z.number() }), annotations: { readOnlyHint: true } };
  server.registerTool("add", adding, async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }));
  server.registerTool("fail", {}, async () => ({ content: [{ type: "text", text: "it went wrong" }], isError: true }));
  return server;
}

const startServer = (options: Parameters<typeof createMcpHandler>[1]) => {
  const handle = toNodeHandler(createMcpHandler(buildServer, options));
  // Node's own request is what it takes; its types do not hold under exactOptionalPropertyTypes.
  type Incoming = Parameters<typeof handle>[0];
  return startRawServer(({ body }, response, request) => handle(request as Incoming, response, body));
};

const NEWEST_ONLY = { legacy: "reject" } as const;

test.each([
  [
    "also the older ones: by the handshake",
    {},
    ["initialize", "notifications/initialized", "tools/call", "tools/call"],
  ],
  ["only the newest: without one", NEWEST_ONLY, ["initialize", "tools/call", "tools/call", "tools/call"]],
])("a server that understands %s", async (_what, options, methods) => {
  await using server = await startServer(options);
  await using client = openClient(server.url);
  const sum = await client.call("add", { a: 1, b: 2 });
  expect(sum.ok && JSON.parse(sum.stdout)).toMatchObject({ content: [{ type: "text", text: "3" }] });
  expect(await client.call("fail")).toEqual({ ok: false, stderr: "it went wrong", executed: true, timed_out: false });
  expect(server.received.map(({ body }) => body.method)).toEqual(methods);
  expect(await client.call("none")).toMatchObject({ ok: false, executed: false });
  expect(await client.servers.mayRepeat({ server: "x", tool: "add" }, BOUNDS.signal)).toBe(true);
});
