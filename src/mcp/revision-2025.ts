// The handlers in the revisions of MCP up to 2025-11-25, on the low-level Server of the first line of the library. A server is
// built for each request, so building one must be cheap, and operations parse their own input and name every field that is wrong.
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
import { type McpCaller, tracedBy } from "./calls.ts";
import type { OpenExchange } from "./exchange.ts";
import type { McpHandlers } from "./handlers.ts";
import { resultOf } from "./reply.ts";
import type { Requester } from "./tools.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export function openRevision2025(handlers: McpHandlers): OpenExchange {
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
