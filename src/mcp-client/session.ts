// Holds a session with a tool server through the client of the protocol's SDK, for the revisions up to 2025-11-25. The SDK reaches
// the server only over the fetch that it is given here: exchange.ts sends a message once and decides what came of it.
import { AsyncLocalStorage } from "node:async_hooks";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, type JsonFields } from "../domain/json-values.ts";
import { openRequest } from "../http-client/request.ts";
import { exchange, isEventStream, MAX_ANSWER_BYTES, type ToolServerEndpoint } from "./exchange.ts";
import { type CallLimits, type Dialect, type ToolServerReply, within } from "./reply.ts";

/** Of a cancellation, and of the end of a session. */
const GOODBYE_MS = 1_000;
/** Of an answer to what the server asks. */
const ANSWER_MS = 10_000;
/** At once in a session, on all its streams. What a server asks meanwhile is not answered. */
const MOST_ANSWERS = 16;
const OPENING_MS = 1_000;
const NEVER = new AbortController().signal;
/** The limits are kept by the fetch: a timer of the SDK never comes first. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 };

/** What orch asks a server, and what came of it. The fetch finds the one that it works for in its context. */
type Asked = { readonly limits: CallLimits; id: unknown; reply: ToolServerReply | null };

/** Shakes hands. When that fails, no tool has been called. */
export async function openSession(
  endpoint: ToolServerEndpoint,
  limits: CallLimits,
): Promise<{ readonly session: Dialect } | { readonly fault: ToolServerReply }> {
  const connection = connect(endpoint);
  const { client, transport } = connection;
  const { failure, reply } = await connection.ask(limits, () => client.connect(transport as Transport, NO_TIMEOUT));
  if (failure === null) return { session: sessionOn(connection) };
  return { fault: reply?.is === "result" || reply === null ? { is: "foreign", message: failure } : reply };
}

/** After these the server may still be at work, and is notified that it need not be. */
const WITHOUT_RESPONSE: readonly ToolServerReply["is"][] = ["lost", "timed_out", "stopped"];

function sessionOn({ client, transport, ask, openStream, close }: Connection): Dialect {
  const underWay = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const cancel = (requestId: number) =>
    client.notification({ method: "notifications/cancelled", params: { requestId, reason: "no answer" } });
  return {
    kind: "session",
    request: async (method, params, { limit_ms, signal }) => {
      const until = performance.now() + limit_ms;
      // A server without sessions could not know whose stream it is.
      if (transport.sessionId !== undefined) await openStream({ limit_ms, signal });
      const limits = { signal, limit_ms: Math.max(1, Math.round(until - performance.now())) };
      const call = () => client.request({ method, params: { ...params } }, ResultSchema, NO_TIMEOUT);
      const { failure, reply, id } = await track(ask(limits, call));
      if (reply === null) return { is: "lost", message: failure ?? "the session was closed" };
      if (WITHOUT_RESPONSE.includes(reply.is)) void track(cancel(Number(id)).catch(() => undefined));
      return reply;
    },
    close: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await close();
    },
  };
}

type Connection = ReturnType<typeof connect>;

/** The SDK's client on the fetch of one session. */
function connect(endpoint: ToolServerEndpoint) {
  const { url, authorization, verify } = endpoint;
  const context = new AsyncLocalStorage<Asked>();
  /** Answers under way to what the server asks, on its own stream or on that of a response. */
  const answering = new Set<Promise<unknown>>();
  let isClosing = false;
  let session_id = "";
  /** The stream on which the server asks outside of its responses [MCP, Listening for Messages from the Server]. */
  const stream = { is_offered: true, is_late: false, opening: null as Promise<void> | null };

  const post = async (message: JsonFields, headers: Readonly<Record<string, string>>): Promise<Response> => {
    const asked = context.getStore();
    const goodbye = { limit_ms: GOODBYE_MS, signal: NEVER };
    const reply = await exchange({
      endpoint,
      headers,
      message,
      limits: asked?.limits ?? goodbye,
      is_session: true,
      onRequest: ({ id, method }) => transport.onmessage?.({ jsonrpc: "2.0", id, method } as JSONRPCMessage),
      onSession: (id) => (session_id = id),
    });
    if (asked !== undefined) Object.assign(asked, { id: message["id"], reply });
    if (message["id"] === undefined) return new Response(null, { status: reply.is === "result" ? 204 : 502 });
    const named: Record<string, string> = session_id === "" ? {} : { "mcp-session-id": session_id };
    const result = message["method"] === "initialize" ? welcomeIn(reply) : {};
    return Response.json({ jsonrpc: "2.0", id: message["id"], result }, { headers: named });
  };

  const answer = async (message: JsonFields, headers: Readonly<Record<string, string>>): Promise<Response> => {
    if (isClosing || answering.size >= MOST_ANSWERS) return new Response(null, { status: 204 });
    const limits = { limit_ms: ANSWER_MS, signal: NEVER };
    const work = exchange({ endpoint, headers, message, limits, is_session: true });
    answering.add(work);
    await work.finally(() => answering.delete(work));
    return new Response(null, { status: 204 });
  };

  const get = async (headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response> => {
    const asked = { ...authorization, ...headers, accept: "text/event-stream" };
    const limits = { max_bytes: MAX_ANSWER_BYTES, signal };
    const response = await openRequest({ method: "GET", url, headers: asked, verify, ...limits });
    if (response.ok && isEventStream(response)) {
      const body = closing(response.body, () => (stream.opening = null));
      return new Response(ReadableStream.from(body), { headers: { "content-type": "text/event-stream" } });
    }
    stream.opening = null;
    if (response.ok) response.close();
    if (response.ok) stream.is_offered = mayBeOfferedLater(response.status);
    return new Response(null, { status: 405 });
  };

  const end = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
    const all = { ...authorization, ...headers };
    const response = await openRequest({
      method: "DELETE",
      url,
      headers: all,
      verify,
      limit_ms: GOODBYE_MS,
      max_bytes: 0,
    });
    if (response.ok) response.close();
    return new Response(null, { status: 204 });
  };

  const send: FetchLike = (_url, { method, headers: given, body, signal } = {}) => {
    const headers = Object.fromEntries([...new Headers(given)].filter(([name]) => name.startsWith("mcp-")));
    if (method === "GET") return get(headers, signal ?? undefined);
    if (method === "DELETE") return end(headers);
    const message = JSON.parse(String(body));
    return "method" in message ? post(message, headers) : answer(message, headers);
  };

  const reconnectionOptions = {
    maxRetries: 0,
    initialReconnectionDelay: 0,
    maxReconnectionDelay: 0,
    reconnectionDelayGrowFactor: 1,
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: send, reconnectionOptions });
  const client = new Client(endpoint.client);

  return {
    client,
    transport,
    /** Has the SDK do something within limits. Never rejects. */
    ask: async (limits: CallLimits, work: () => Promise<unknown>) => {
      const asked: Asked = { limits, id: undefined, reply: null };
      const failure = await context.run(asked, work).then(
        () => null,
        (error: unknown) => String(error instanceof Error ? error.message : error),
      );
      return { failure, ...asked };
    },
    /** Opens it where it is offered and not open. A server that does not answer delays a call for a moment only. */
    openStream: async ({ limit_ms, signal }: CallLimits): Promise<void> => {
      if (!stream.is_offered) return;
      stream.opening ??= transport.resumeStream("").catch(() => undefined);
      // Some servers answer with the first thing that they ask: no call waits for that twice.
      if (stream.is_late) return;
      const opened = await within(stream.opening, { limit_ms: Math.min(limit_ms, OPENING_MS), signal });
      stream.is_late = opened.is === "timed_out";
    },
    /** The server may be gone, or may not care: either way the session is over for us. */
    close: async (): Promise<void> => {
      // A server that goes on asking would keep its session open.
      isClosing = true;
      await Promise.all(answering);
      await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

/** What the SDK has to know of the welcome: its schemas refuse servers whose other fields are odd. */
function welcomeIn(reply: ToolServerReply): JsonFields {
  if (reply.is !== "result" || !isRecord(reply.result)) return {};
  const { protocolVersion, capabilities, serverInfo } = reply.result;
  if (!isRecord(capabilities) || !isRecord(serverInfo)) return {};
  return { protocolVersion, capabilities: {}, serverInfo: { name: "", version: "" } };
}

/** Busy, or with another stream that is still open. 405 says that there is none. */
const mayBeOfferedLater = (status: number): boolean => status >= 500 || status === 409 || status === 429;

async function* closing(body: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    onEnd();
  }
}
