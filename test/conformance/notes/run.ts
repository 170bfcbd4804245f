#!/usr/bin/env node
// Runs all operations of the notes skill against the notes server that MCP_NOTES_URL names:
// npm run notes:conformance -- --under NOTE_ID
import { parseArgs } from "node:util";
import { createNotesServer } from "../../../capabilities/notes/find-toolset.ts";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import { toolListOf } from "../../../src/tasks/tool-list.ts";
import { conform } from "../../support/notes/conformance-cases.ts";

const LIMIT_MS = 60_000;

const { under } = parseArgs({ options: { under: { type: "string" } } }).values;
const { MCP_NOTES_URL: url, MCP_NOTES_TOKEN: token = null } = process.env;
if (under === undefined || url === undefined) {
  process.stderr.write(
    "Set MCP_NOTES_URL (and MCP_NOTES_TOKEN), and give --under: the id of a note for a scratch subtree, such as root.\n",
  );
  process.exit(64);
}
const servers = createToolServers({ servers: new Map([["notes", { url, token }]]), version: "1" });
const bounds = { limit_ms: LIMIT_MS, signal: new AbortController().signal };
const tools: Parameters<typeof conform>[0] = {
  call: (server, tool, args) => servers.call({ server, tool, arguments: args }, bounds),
  listTools: (server) => toolListOf(servers.listTools(server, bounds)),
};
const findings = await conform(tools, await createNotesServer(tools), under);
const lines = findings.map(({ name, is_ok, found }) => `${is_ok ? "ok    " : "FAILED"}  ${name}: ${found}`);
const LAST = "The subtree that was made for this is called orch conformance; delete it in the application.";
process.stdout.write([...lines, LAST, ""].join("\n"));
await servers.close();
process.exitCode = findings.every(({ is_ok }) => is_ok) ? 0 : 1;
