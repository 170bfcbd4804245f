// T6: servers with the older SSE transport, and servers that want OAuth, get their own sentences in the doctor and in a step.
import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { describe, expect, test } from "vitest";
import { diagnoseTools, listTools } from "../../../src/doctor/reach-servers.ts";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import { startRawServer } from "../../support/tool-server.ts";

type Handler = Parameters<typeof startRawServer>[0];

const sse =
  (refuse: (response: Parameters<Handler>[1]) => unknown): Handler =>
  async ({ method }, response) => {
    if (method !== "GET") return refuse(response);
    const server = new McpServer({ name: "older", version: "1" });
    return server.connect(new SSEServerTransport(`/messages/${randomUUID()}`, response));
  };

const OAUTH = 'Bearer error="invalid_token", resource_metadata="https://x.test/.well-known/oauth-protected-resource"';

const unauthorized =
  (challenge: string): Handler =>
  (_received, response) =>
    response.writeHead(401, { "www-authenticate": challenge }).end('{"error":"invalid_token"}');

async function askedOf(handler: Handler) {
  await using server = await startRawServer(handler);
  const servers = createToolServers({ servers: new Map([["notes", { url: server.url, token: null }]]), version: "1" });
  const bounds = { limit_ms: 10_000, signal: new AbortController().signal };
  const answer = await servers.call({ server: "notes", tool: "create", arguments: {} }, bounds);
  const { found, fix } = diagnoseTools("notes", await listTools(servers, "notes"));
  await servers.close();
  return { answer, found, fix, calls: server.calls().length };
}

const OLDER = "it speaks the older SSE transport, which orch does not";
const ADDRESS = "Set MCP_NOTES_URL to its address for streamable HTTP, or put a proxy before it.";
const LOGIN = "HTTP 401: it wants OAuth, which orch does not do";
const TOKEN = "Give a token of its authorization server in MCP_NOTES_TOKEN, or a new one where it has expired.";

describe("a server", () => {
  test.each<[string, Handler, string, string]>([
    ["with the older transport that answers 405", sse((response) => response.writeHead(405).end()), OLDER, ADDRESS],
    [
      "with the older transport that answers with a page",
      sse((response) => response.writeHead(404, { "content-type": "text/html" }).end("Cannot POST /sse")),
      OLDER,
      ADDRESS,
    ],
    ["that wants OAuth", unauthorized(OAUTH), LOGIN, TOKEN],
  ])("%s says what to do", async (_what, handler, found, fix) => {
    const asked = await askedOf(handler);
    expect(asked).toMatchObject({ found, fix, calls: 0 });
    expect(asked.answer).toMatchObject({ ok: false, executed: false, stderr: `${found}. ${fix}` });
  });

  test.each<[string, Handler, string]>([
    ["that takes no POST and has no stream", (_received, response) => response.writeHead(405).end(), "HTTP 405"],
    [
      "whose stream says something else",
      ({ method }, response) =>
        method === "GET"
          ? response.writeHead(200, { "content-type": "text/event-stream" }).end("event: hello\ndata: x\n\n")
          : response.writeHead(404).end("no"),
      "HTTP 404 no",
    ],
    ["that wants another token", unauthorized('Bearer realm="notes"'), 'HTTP 401 {"error":"invalid_token"}'],
  ])("%s is reported as before", async (_what, handler, found) => {
    const asked = await askedOf(handler);
    expect(asked.found).toContain(found);
    expect(asked.fix).toBe("Check MCP_NOTES_URL and MCP_NOTES_TOKEN, and whether that server runs.");
  });
});
