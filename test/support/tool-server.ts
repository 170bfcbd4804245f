// Tool servers on loopback: one built with the SDK, with or without sessions, and one that answers as a test defines.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";
import type { Json } from "../../src/domain/json.ts";
import { createToolServers } from "../../src/mcp-client/tool-servers.ts";

export type Received = {
  readonly method: string | undefined;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into requests and check what they find
  readonly body: any;
};

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

/** Keeps every request; `answer` gets the parsed body, undefined where there was none. */
export async function startRawServer(
  answer: (received: Received, response: ServerResponse, request: IncomingMessage) => unknown,
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const one = { method: request.method, headers: request.headers, body: text === "" ? undefined : JSON.parse(text) };
    received.push(one);
    await answer(one, response, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    received,
    /** The tools/call requests, the way they came. */
    calls: () => received.filter(({ body }) => body?.method === "tools/call"),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers a request with JSON. */
export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

export const rpcResult = (id: unknown, result: object) => ({ jsonrpc: "2.0", id, result });
export const rpcError = (id: unknown, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** What a server of the legacy revisions says to `initialize`. */
const WELCOME = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "raw", version: "1" },
};

/** Goes through the handshake as a server without sessions does, and has the rest answered. */
export const afterHandshake =
  (answer: (received: Received, response: ServerResponse, request: IncomingMessage) => unknown, session_id?: string) =>
  (received: Received, response: ServerResponse, request: IncomingMessage): unknown => {
    const { body } = received;
    if (received.method !== "POST") return response.writeHead(405).end();
    if (session_id !== undefined) response.setHeader("mcp-session-id", session_id);
    if (body.method === "initialize") return sendJson(response, rpcResult(body.id, WELCOME));
    if (body.id === undefined) return response.writeHead(202).end();
    return answer(received, response, request);
  };

export type SdkServer = Awaited<ReturnType<typeof startSdkServer>>;

/** The tools count their calls: `add` only reads, `set` is idempotent, `drop` is destructive, `create` says nothing, `turn` says what a test sets. */
export async function startSdkServer({ sessions = false }: { readonly sessions?: boolean } = {}) {
  const called: { readonly tool: string; readonly args: unknown }[] = [];
  let turned: { readOnlyHint?: boolean; destructiveHint?: boolean } = {};
  let transports = new Map<string, StreamableHTTPServerTransport>();
  const held = Promise.withResolvers<void>();

  const build = (): McpServer => {
    const server = new McpServer({ name: "sdk", version: "1" });
    const says = (text: string, more: object = {}) => ({ content: [{ type: "text" as const, text }], ...more });
    const noted = (tool: string, args: unknown, text: string) => {
      called.push({ tool, args });
      return says(text);
    };
    const numbers = { a: z.number(), b: z.number() };
    const adding = { inputSchema: numbers, annotations: { readOnlyHint: true } };
    server.registerTool("add", adding, ({ a, b }) => noted("add", { a, b }, String(a + b)));
    const setting = { inputSchema: { value: z.unknown().optional() }, annotations: { idempotentHint: true } };
    server.registerTool("set", setting, (args) => noted("set", args, "set"));
    server.registerTool("create", { inputSchema: { name: z.string() } }, (args) => noted("create", args, "created"));
    server.registerTool("turn", { annotations: turned }, () => noted("turn", {}, "turned"));
    server.registerTool("drop", { annotations: { destructiveHint: true } }, () => noted("drop", {}, "dropped"));
    server.registerTool("fail", {}, () => says("it went wrong", { isError: true }));
    server.registerTool("soft", {}, () => says(JSON.stringify({ error: "Note not found" })));
    server.registerTool("large", { inputSchema: { bytes: z.number() } }, ({ bytes }) => says("x".repeat(bytes)));
    server.registerTool("hold", {}, () => held.promise.then(() => noted("hold", {}, "let go")));
    return server;
  };

  const sessionOf = async ({ headers, body }: Received) => {
    const id = headers["mcp-session-id"];
    const known = typeof id === "string" ? transports.get(id) : undefined;
    if (known !== undefined || body?.method !== "initialize") return known;
    const created: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session_id) => void transports.set(session_id, created),
    });
    await build().connect(created as Transport);
    return created;
  };

  const raw = await startRawServer(async (received, response, request) => {
    if (sessions) {
      const transport = await sessionOf(received);
      if (transport !== undefined) return transport.handleRequest(request, response, received.body);
      return sendJson(response, rpcError(null, -32_001, "Session not found"), 404);
    }
    if (received.method !== "POST") return response.writeHead(405).end();
    const transport = new StreamableHTTPServerTransport({});
    await build().connect(transport as Transport);
    return transport.handleRequest(request, response, received.body);
  });

  return {
    ...raw,
    called,
    /** As if the server had been started anew. */
    forgetSessions: () => {
      transports = new Map();
    },
    letGo: held.resolve,
    /** Sets what `turn` says of itself. */
    turn: (hints: typeof turned) => {
      turned = hints;
    },
    sessions: () => transports.size,
  };
}

/** A client of one server, whose name is x. */
export function openClient(url: string, token: string | null = "a-token") {
  const servers = createToolServers({ servers: new Map([["x", { url, token }]]), version: "1.2.3" });
  const call = (tool = "create", args: Record<string, Json> = {}, limits: Partial<CallLimits> = {}) =>
    servers.call({ server: "x", tool, arguments: args }, { ...BOUNDS, ...limits });
  return { servers, call, [Symbol.asyncDispose]: () => servers.close() };
}

type CallLimits = { readonly limit_ms: number; readonly signal: AbortSignal };
export const BOUNDS: CallLimits = { limit_ms: 20_000, signal: new AbortController().signal };

/** One call of `create` by a client of its own. */
export async function callOnce(url: string, limit_ms = BOUNDS.limit_ms) {
  await using client = openClient(url);
  return await client.call("create", {}, { limit_ms });
}

export type Handler = Parameters<typeof startRawServer>[0];
export type ToolAnswer = (id: unknown, response: ServerResponse) => unknown;

/** Gives each call in a session this answer. */
export const inSession = (answer: ToolAnswer, session_id?: string): Handler =>
  afterHandshake(({ body }, response) => answer(body.id, response), session_id);

/** Knows tools/call, and refuses the handshake. */
export const naive =
  (answer: ToolAnswer): Handler =>
  ({ body }, response) =>
    body?.method === "tools/call"
      ? answer(body.id, response)
      : sendJson(response, rpcError(body?.id ?? null, -32_601, "Method not found"));

export const http =
  (status: number, body = "", headers: Record<string, string> = { "content-type": "text/html" }): ToolAnswer =>
  (_id, response) =>
    response.writeHead(status, headers).end(body);
export const rpc =
  (code: number, words: string, status = 200): ToolAnswer =>
  (id, response) =>
    sendJson(response, rpcError(id, code, words), status);
export const result =
  (value: object): ToolAnswer =>
  (id, response) =>
    sendJson(response, rpcResult(id, value));

/** Events as they are written; ID is the id of the call. The stream stays open where nothing is said of its end. */
export const events =
  (text: string, end: "ended" | "cut" | "open" = "ended"): ToolAnswer =>
  (id, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text.replaceAll("ID", JSON.stringify(id)));
    if (end === "ended") response.end();
    if (end === "cut") setTimeout(() => response.destroy(), 50);
  };
