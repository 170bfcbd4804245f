#!/usr/bin/env node
// Runs all operations of the notes skill against the notes server that MCP_NOTES_URL names:
// npm run notes:conformance -- --under NOTE_ID
import { parseArgs } from "node:util";
import { toolListOf } from "../../../src/engine/tasks/plan.ts";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import { conform, type Finding } from "../../support/notes/conformance-cases.ts";

const LIMIT_MS = 60_000;
/** As in sysexits.h: a wrong call, and a server that is not there. */
const [USAGE, UNAVAILABLE] = [64, 69];

const { MCP_NOTES_URL: url = "", MCP_NOTES_TOKEN: token = null } = process.env;
const under = underOf();
if (under === undefined || !URL.canParse(url)) {
  const given = url === "" ? "it is not set" : `it is ${JSON.stringify(url)}`;
  const why = URL.canParse(url)
    ? "--under is missing"
    : `MCP_NOTES_URL must be an address such as http://notes:8080/mcp, and ${given}`;
  process.stderr.write(
    `${why}. Set MCP_NOTES_URL (and MCP_NOTES_TOKEN), and give --under the id of a note for a scratch subtree, such as root.\n`,
  );
  process.exit(USAGE);
}
const servers = createToolServers({ servers: new Map([["notes", { url, token }]]), version: "1" });
const bounds = { limit_ms: LIMIT_MS, signal: new AbortController().signal };
const conformance = await conform(
  {
    call: (server, tool, args) => servers.call({ server, tool, arguments: args }, bounds),
    listTools: (server) => toolListOf(servers.listTools(server, bounds)),
  },
  under,
);
await servers.close();
if (conformance.is === "not_begun") {
  process.stderr.write(`Nothing was run: ${conformance.why} Next: ${conformance.next}.\n`);
  process.exitCode = UNAVAILABLE;
} else {
  const { top, title, findings } = conformance;
  const failed = findings.filter(({ is_ok }) => !is_ok).length;
  const lines = [
    `The scratch subtree is ${JSON.stringify(title)} (${top}), below ${under}.`,
    ...findings.map(lineOf),
    `${findings.length - failed} of ${findings.length} passed. The scratch subtree stays: delete ${top} in the application.`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function lineOf({ name, operation, is_ok, expected, found, next }: Finding): string {
  const what = `${name} (${operation})`;
  return is_ok ? `ok      ${what}: ${found}` : `FAILED  ${what}: expected ${expected}, found ${found} Next: ${next}.`;
}

function underOf(): string | undefined {
  try {
    return parseArgs({ options: { under: { type: "string" } } }).values.under;
  } catch {
    return undefined;
  }
}
