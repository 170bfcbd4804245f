// The MCP server, on the low-level Server of the library. A server is built for each request, so building one must be cheap,
// and operations parse their own input and name every field that is wrong.
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
  type ServerResult,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import type { AnyOperation } from "../operations/operation.ts";
import { createCalls, type McpCaller, type McpLog } from "./calls.ts";
import { INSTRUCTIONS } from "./guidance.ts";
import { paramsFault, readMessage } from "./message.ts";
import type { Progress } from "./progress.ts";
import { getPrompt, PROMPTS } from "./prompts.ts";
import { failed, type McpReply } from "./reply.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import { createTools } from "./tools.ts";

export type McpServerDeps = {
  readonly operations: readonly AnyOperation[];
  readonly version: string;
  readonly log: McpLog;
  /** The interval of progress reports to a caller that waits and asked for them. */
  readonly progress_ms?: number;
};

/** Serves one HTTP request. `close` ends its waits. */
type Exchange = {
  readonly answer: (request: Request, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export type McpServer = (caller: McpCaller, options: { readonly json: boolean }) => Promise<Exchange>;

const PROGRESS_MS = 5_000;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export function createMcpServer({ operations, version, log, progress_ms = PROGRESS_MS }: McpServerDeps): McpServer {
  const calls = createCalls(operations, log);
  const tools = createTools(calls, { progress_ms, log });
  // A schema that MCP does not allow stops the server from starting.
  const listed = ListToolsResultSchema.parse({ tools: tools.list });
  const about = { name: "orch", title: "orch", version };
  const options = {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
    // Otherwise compiled for each server. It validates answers of clients, which this server never asks.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  };

  function serverFor(caller: McpCaller): Server {
    const server = new Server(about, options);
    const answer = answering(caller, log);
    server.setRequestHandler(ListToolsRequestSchema, () => listed);
    server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: input = {} } }, extra) =>
      answer(extra, (requester) => tools.call({ name, input, caller: requester, report: reporterOf(extra) })),
    );
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
    server.setRequestHandler(ListResourcesRequestSchema, (_request, extra) =>
      answer(extra, (requester) => listResources(calls, requester)),
    );
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }, extra) =>
      answer(extra, (requester) => readResource(calls, uri, requester)),
    );
    server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }, extra) =>
      answer(extra, (requester) => getPrompt(calls, name, given, requester)),
    );
    return server;
  }

  return async (caller, { json }) => {
    const server = serverFor(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: json });
    await server.connect(transport);
    return {
      answer: async (request, body) => {
        const reading = readMessage(body);
        if (!reading.ok) return Response.json(reading.fault, { status: 400 });
        const fault = paramsFault(reading.message);
        return fault === null ? transport.handleRequest(request, { parsedBody: body }) : Response.json(fault);
      },
      close: () => server.close(),
    };
  };
}

/** A wait ends with the connection, and when the client cancels its request. */
const answering =
  (caller: McpCaller, log: McpLog) =>
  async <T extends ServerResult>(
    { signal }: Extra,
    work: (requester: McpCaller) => Promise<McpReply<T>>,
  ): Promise<T> => {
    const requester = { ...caller, signal: AbortSignal.any([caller.signal, signal]) };
    const reply = await work(requester).catch((err: unknown) => {
      log.error({ request_id: caller.request_id, err }, "a request over MCP failed");
      return failed("internal", `The log of the service has details under the request_id ${caller.request_id}.`);
    });
    if (reply.ok) return reply.result;
    const { code, message, data } = reply;
    throw Object.assign(new Error(message), { code, data });
  };

function reporterOf({ _meta, sendNotification }: Extra): ((progress: Progress) => Promise<void>) | null {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress) => sendNotification({ method: "notifications/progress", params: { progressToken, ...progress } });
}
