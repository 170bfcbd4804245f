// Our client of tool servers as the conformance suite of the protocol starts it: the URL is the last argument. Every tool is
// called, with what the scenarios expect of a call.
import type { Json } from "../../src/domain/json.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { createToolServers } from "../../src/mcp-client/tool-servers.ts";

const url = process.argv.at(-1) ?? "";
const servers = createToolServers({ servers: new Map([["conformance", { url, token: null }]]), version: "1" });
const signal = AbortSignal.timeout(20_000);

const listed = await servers.listTools("conformance", { limit_ms: 10_000, signal });
if ("fault" in listed) process.stderr.write(`${listed.fault}\n`);
const tools: readonly Tool[] = "tools" in listed ? listed.tools : [];
for (const { name } of tools) {
  const call = { server: "conformance", tool: name, arguments: argumentsOf(name) };
  const answer = await servers.call(call, { limit_ms: 4_000, signal });
  process.stdout.write(`${name}: ${JSON.stringify(answer)}\n`);
}
await servers.close();

function argumentsOf(name: string): Record<string, Json> {
  if (name === "add_numbers") return { a: 2, b: 3 };
  const other = tools.find((tool) => tool.name !== name);
  return name === "json_schema_echo" && other !== undefined ? { schema: other.input_schema } : {};
}
