// Serves POST /mcp: Streamable HTTP without sessions. The HTTP server has checked Host, Origin, token, rates and body. Each
// request names its revision, and has an MCP server of its own, which ends with the connection: a wait ends, a task does not.
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ListToolsResultSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { type McpCaller, type McpConnection, type McpLog, resultOf, tracedBy } from "./calls.ts";
import { createHandlers, type McpHandlers, type McpServerDeps } from "./handlers.ts";
import { type OpenExchange, paramsFault, type Revision, readMessage, revisionOf } from "./message.ts";
import { createRefusals } from "./refused-request.ts";
import { streamToolChanges } from "./tool-changes.ts";
import type { Requester } from "./tools.ts";

const SSE = "text/event-stream";
/** What a client may repeat of its message in headers. */
const MESSAGE_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"] as const;

/** GET listens for changes of the list of tools, where it changes. Other methods get 405: there are no sessions to end. */
export function createMcpEndpoint(deps: McpServerDeps) {
  const handlers = createHandlers(deps);
  const openerOf = createOpeners(handlers, deps.log);
  const { sop_tools = null } = deps;
  return {
    path: "/mcp",
    ownProblem: createRefusals(handlers.isTool),
    methods: sop_tools === null ? (["POST"] as const) : (["GET", "POST"] as const),
    handle: async (
      request: IncomingMessage,
      response: ServerResponse,
      caller: McpConnection,
      body: unknown,
    ): Promise<void> => {
      if (sop_tools !== null && request.method !== "POST")
        return streamToolChanges(request, response, { ...sop_tools, signal: caller.signal });
      const { headers } = request;
      const asked = asMcp(headers);
      const revision = revisionOf(asked.headers.get("mcp-protocol-version"), body);
      const refusal = refusalOf(body, revision);
      if (refusal !== null) return send(response, refusal);
      const open = await openerOf(revision);
      const request_id = String(response.getHeader("X-Request-Id"));
      const json = !(headers.accept ?? "").includes(SSE);
      const { answer, close } = await open({ caller: { ...caller, request_id }, json });
      const gone = once(response, "close").then(close);
      const answered = await Promise.race([answer(asked, body), gone]);
      if (answered !== undefined) await send(response, answered);
    },
  };
}

function createOpeners(handlers: McpHandlers, log: McpLog): (revision: Revision) => Promise<OpenExchange> {
  const open2025 = openRevision2025(handlers);
  // Its library is large, and not every server has a client that speaks it.
  const load2026 = async () => (await import("./revision-2026.ts")).openRevision2026(handlers, log);
  let open2026: Promise<OpenExchange> | null = null;
  return async (revision) => {
    if (revision === "2025") return open2025;
    open2026 ??= load2026();
    return open2026;
  };
}

/** What the libraries would not refuse, or not in words that help. */
function refusalOf(body: unknown, revision: Revision): Response | null {
  const reading = readMessage(body);
  if (!reading.ok) return Response.json(reading.fault, { status: 400 });
  const fault = paramsFault(reading.message, revision);
  return fault === null ? null : Response.json(fault);
}

/**
 * The request as the protocol wants it, without the token. The protocol refuses a client that does not accept both forms of
 * an answer, such as curl; here it gets the form that it can read.
 */
function asMcp(given: IncomingHttpHeaders): Request {
  const headers = new Headers({ accept: `application/json, ${SSE}`, "content-type": "application/json" });
  for (const name of MESSAGE_HEADERS) {
    const value = given[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  return new Request("http://orch/mcp", { method: "POST", headers });
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  response.setHeaders(headers);
  if (body === null) return void response.end();
  response.flushHeaders();
  const source = Readable.fromWeb(body);
  // A pipeline adds seven listeners for the end of the response; with the others, they are more than Node expects.
  source.once("error", () => response.destroy()).pipe(response);
  // A client may disconnect early.
  await once(response, "close").catch(() => response.destroy());
  source.destroy();
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * The handlers in the revisions of MCP up to 2025-11-25, on the low-level Server of the first line of the library. A server is
 * built for each request, so building one must be cheap, and operations parse their own input and name every field that is wrong.
 */
function openRevision2025(handlers: McpHandlers): OpenExchange {
  const { about, instructions, capabilities } = handlers;
  // A schema that MCP does not allow stops the server from starting.
  ListToolsResultSchema.parse(handlers.operationTools);
  const options = {
    capabilities,
    instructions,
    // Otherwise compiled for each server. It validates answers of clients, which this server never asks.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  };

  function serverFor(caller: McpCaller): Server {
    const server = new Server(about, options);
    server.setRequestHandler(ListToolsRequestSchema, async (_request, extra) =>
      ListToolsResultSchema.parse(resultOf(await handlers.listTools(requesterOf(caller, extra)))),
    );
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) =>
      resultOf(await handlers.callTool(params, requesterOf(caller, extra))),
    );
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => resultOf(handlers.listTemplates()));
    server.setRequestHandler(ListResourcesRequestSchema, async ({ params = {} }, extra) =>
      resultOf(await handlers.listResources(params, requesterOf(caller, extra))),
    );
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) =>
      resultOf(await handlers.readResource(params, requesterOf(caller, extra))),
    );
    server.setRequestHandler(ListPromptsRequestSchema, () => resultOf(handlers.listPrompts()));
    server.setRequestHandler(GetPromptRequestSchema, async ({ params }, extra) =>
      resultOf(await handlers.getPrompt(params, requesterOf(caller, extra))),
    );
    return server;
  }

  return async ({ caller, json }) => {
    const server = serverFor(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: json });
    await server.connect(transport);
    return {
      answer: (request, parsedBody) => transport.handleRequest(request, { parsedBody }),
      close: () => server.close(),
    };
  };
}

/** A wait ends with the connection, and when the client cancels its request. */
const requesterOf = (caller: McpCaller, { signal, _meta, sendNotification }: Extra): Requester => {
  const progressToken = _meta?.progressToken;
  return {
    caller: { ...tracedBy(caller, _meta), signal: AbortSignal.any([caller.signal, signal]) },
    report:
      progressToken === undefined
        ? null
        : (progress) => sendNotification({ method: "notifications/progress", params: { progressToken, ...progress } }),
  };
};
