// T6: servers with the older SSE transport, and servers that want OAuth, get their own sentences in the doctor and in a step.
import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { expect, test } from "vitest";
import { diagnoseTools, listTools } from "../../../src/doctor/reach-servers.ts";
import { events, type Handler, http, openClient, startRawServer, type ToolAnswer } from "../../support/tool-server.ts";

/** Its stream is that of the older transport where none is given. */
const older =
  (refuse: ToolAnswer, stream?: ToolAnswer): Handler =>
  async ({ method }, response) => {
    if (method !== "GET") return refuse(null, response);
    if (stream !== undefined) return stream(null, response);
    const server = new McpServer({ name: "older", version: "1" });
    return server.connect(new SSEServerTransport(`/messages/${randomUUID()}`, response));
  };

const unauthorized =
  (challenge: string): Handler =>
  (_received, response) =>
    http(401, '{"error":"invalid_token"}', { "www-authenticate": challenge })(null, response);

const OAUTH = 'Bearer error="invalid_token", resource_metadata="https://x.test/.well-known/oauth-protected-resource"';

async function askedOf(handler: Handler) {
  await using server = await startRawServer(handler);
  await using client = openClient(server.url);
  const answer = await client.call();
  const { found, fix } = diagnoseTools("x", await listTools(client.servers, "x"));
  return { answer, found, fix, calls: server.calls().length };
}

const OLDER = "it speaks the older SSE transport, which orch does not";
const ADDRESS = "Set MCP_X_URL to its address for streamable HTTP, or put a proxy before it.";
const LOGIN = "HTTP 401: it wants OAuth, which orch does not do";
const TOKEN = "Give a token of its authorization server in MCP_X_TOKEN, or a new one where it has expired.";

test.each<[string, Handler, string, string]>([
  ["with the older transport that answers 405", older(http(405)), OLDER, ADDRESS],
  ["with the older transport that answers with a page", older(http(404, "Cannot POST /sse")), OLDER, ADDRESS],
  ["that wants OAuth", unauthorized(OAUTH), LOGIN, TOKEN],
])("a server %s says what to do", async (_what, handler, found, fix) => {
  const asked = await askedOf(handler);
  expect(asked).toMatchObject({ found, fix, calls: 0 });
  expect(asked.answer).toMatchObject({ ok: false, executed: false, stderr: `${found}. ${fix}` });
});

test.each<[string, Handler, string]>([
  ["that takes no POST and has no stream", older(http(405), http(405)), "HTTP 405"],
  ["whose stream says something else", older(http(404, "no"), events("event: hello\ndata: x\n\n")), "HTTP 404 no"],
  ["that wants another token", unauthorized('Bearer realm="notes"'), 'HTTP 401 {"error":"invalid_token"}'],
])("a server %s is reported as before", async (_what, handler, found) => {
  const asked = await askedOf(handler);
  expect(asked.found).toContain(found);
  expect(asked.fix).toBe("Check MCP_X_URL and MCP_X_TOKEN, and whether that server runs.");
});
