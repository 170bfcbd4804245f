// POST /mcp: Streamable HTTP without sessions. The HTTP server has checked Host, Origin, token, rates and body. Each request
// has an MCP server of its own, which ends with the connection: a wait ends, a task does not.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { McpCaller } from "./calls.ts";
import { createMcpServer, type McpServerDeps } from "./server.ts";

const SSE = "text/event-stream";

/** Other methods get 405: there are no sessions to listen to or to end. */
export function createMcpEndpoint(deps: McpServerDeps) {
  const open = createMcpServer(deps);
  return {
    path: "/mcp",
    methods: ["POST"] as const,
    handle: async (
      request: IncomingMessage,
      response: ServerResponse,
      caller: Omit<McpCaller, "request_id">,
      body: unknown,
    ): Promise<void> => {
      const request_id = String(response.getHeader("X-Request-Id"));
      const json = !(request.headers.accept ?? "").includes(SSE);
      const { answer, close } = await open({ ...caller, request_id }, { json });
      const gone = once(response, "close").then(close);
      const answered = await Promise.race([answer(asMcp(request), body), gone]);
      if (answered !== undefined) await send(response, answered);
    },
  };
}

/**
 * The request as the protocol wants it, without the token. The protocol refuses a client that does not accept both forms of
 * an answer, such as curl; here it gets the form that it can read.
 */
function asMcp({ headers }: IncomingMessage): Request {
  const version = headers["mcp-protocol-version"];
  return new Request("http://orch/mcp", {
    method: "POST",
    headers: {
      accept: `application/json, ${SSE}`,
      "content-type": "application/json",
      ...(version !== undefined && { "mcp-protocol-version": String(version) }),
    },
  });
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  response.setHeaders(headers);
  if (body === null) return void response.end();
  response.flushHeaders();
  await pipeline(Readable.fromWeb(body), response).catch((error: unknown) => {
    // A client may disconnect early.
    if (!response.destroyed) throw error;
  });
}
