// The tool servers that a test.ts imitates, as a client sees them.
import { expect, test } from "vitest";
import type { ImitatedTool } from "../../../../../src/features/skills/trial/skill-test.ts";
import { startServers } from "../../../../../src/features/skills/trial/tool-servers.ts";

async function answerOf(tool: ImitatedTool): Promise<unknown> {
  await using servers = await startServers({ servers: { dns: { list: tool } } });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list" } };
  const response = await fetch(servers.env["MCP_DNS_URL"] ?? "", { method: "POST", body: JSON.stringify(call) });
  return ((await response.json()) as { result: unknown }).result;
}

const run = () => ({ records: { a: "10.0.0.1" } });
const content = [{ type: "text", text: '{"records":{"a":"10.0.0.1"}}' }];

test("an imitated tool answers with text, and with structured content where it says so", async () => {
  expect(await answerOf({ run })).toEqual({ content });
  expect(await answerOf({ run, structured: true })).toEqual({ content, structuredContent: run() });
});

test("an imitated tool that throws answers with an error", async () => {
  const fails = () => {
    throw new Error("the zone is locked");
  };
  expect(await answerOf({ run: fails })).toEqual({
    isError: true,
    content: [{ type: "text", text: expect.stringContaining("the zone is locked") }],
  });
});
