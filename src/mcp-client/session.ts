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
import { type CallLimits, type Deadline, type Dialect, left, type ToolServerReply, timedOut, within } from "./reply.ts";

/** Of a cancellation, and of the end of a session. */
const GOODBYE_MS = 1_000;
/** Of an answer to what the server asks. */
const ANSWER_MS = 10_000;
/** At once in a session, on all its streams. What a server asks meanwhile is not answered. */
const MOST_ANSWERS = 16;
const OPENING_MS = 1_000;
const NEVER = new AbortController().signal;

/** The fetch keeps the limits: no timer of the SDK comes first. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 };
/** A stream that ends is not the SDK's to open again. */
const reconnectionOptions = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

const NOT_SENT: ToolServerReply = { is: "unreachable", message: "the session was closed before anything was called" };

/** After these the server may still be at work, and is notified that it need not be. */
const WITHOUT_RESPONSE: readonly ToolServerReply["is"][] = ["lost", "timed_out", "stopped"];

/** Shakes hands. When that fails, no tool has been called. */
export async function openSession(
  endpoint: ToolServerEndpoint,
  { limit_ms, signal }: CallLimits,
): Promise<{ readonly session: Dialect } | { readonly fault: ToolServerReply }> {
  const { client, transport, ask, openStream, close } = createConnection(endpoint);
  const deadline = { until: performance.now() + limit_ms, signal };
  const hello = await ask(deadline, () => client.connect(transport as Transport, NO_TIMEOUT));
  if (hello.failure !== null) {
    if (hello.reply.is === "timed_out") return { fault: timedOut(limit_ms) };
    return { fault: hello.reply.is === "result" ? { is: "foreign", message: hello.failure } : hello.reply };
  }
  const underWay = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const cancel = (requestId: number) =>
    client.notification({ method: "notifications/cancelled", params: { requestId, reason: "no answer" } });
  const session: Dialect = {
    kind: "session",
    request: (method, params, deadline) => {
      const call = async () => {
        await openStream(left(deadline));
        return client.request({ method, params: { ...params } }, ResultSchema, NO_TIMEOUT);
      };
      const answered = async () => {
        const { reply, id } = await ask(deadline, call);
        if (WITHOUT_RESPONSE.includes(reply.is)) void track(cancel(id).catch(() => undefined));
        return reply;
      };
      return track(answered());
    },
    close: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await close();
    },
  };
  return { session };
}

/** What orch asks a server, and what came of it. The fetch finds the one that it works for in its context. */
type Asked = { readonly deadline: Deadline; id: number; reply: ToolServerReply };

type SentHeaders = Readonly<Record<string, string>>;

/** The SDK's client on a fetch of its own, which passes on nothing but that a request has ended. */
function createConnection(endpoint: ToolServerEndpoint) {
  const { url, authorization, verify } = endpoint;
  const context = new AsyncLocalStorage<Asked>();
  /** Answers under way to what the server asks, on its own stream or on that of a response. */
  const answering = new Set<Promise<unknown>>();
  let isClosing = false;

  const post = async (message: JsonFields, headers: SentHeaders): Promise<Response> => {
    const { id, method } = message;
    const asked = context.getStore();
    if (asked !== undefined && typeof id === "number") {
      asked.id = id;
      asked.reply = { is: "lost", message: "the session was closed" };
    }
    const named: Record<string, string> = {};
    const reply = await exchange({
      endpoint,
      headers,
      message,
      limits: asked === undefined ? { limit_ms: GOODBYE_MS, signal: NEVER } : left(asked.deadline),
      is_session: true,
      onRequest: ({ id, method }) => transport.onmessage?.({ jsonrpc: "2.0", id, method } as JSONRPCMessage),
      onSession: (id) => {
        named["mcp-session-id"] = id;
      },
    });
    if (asked !== undefined) asked.reply = reply;
    if (typeof id !== "number") return empty(reply.is === "result" ? 204 : 502);
    const result = method === "initialize" ? welcomeIn(reply) : {};
    return Response.json({ jsonrpc: "2.0", id, result }, { headers: named });
  };

  const answer = async (message: JsonFields, headers: SentHeaders): Promise<Response> => {
    if (isClosing || answering.size >= MOST_ANSWERS) return empty(204);
    const limits = { limit_ms: ANSWER_MS, signal: NEVER };
    const work = exchange({ endpoint, headers, message, limits, is_session: true });
    answering.add(work);
    await work.finally(() => answering.delete(work));
    return empty(204);
  };

  let isOffered = true;
  /** Some servers answer with the first thing that they ask: no call waits for that twice. */
  let isLate = false;
  /** Resolves when the server has answered; null while there is no stream. */
  let opening: Promise<unknown> | null = null;

  /**
   * Opens the stream on which the server may ask outside of its responses [MCP, Listening for Messages from the Server], where it is
   * offered and not open. A server that does not answer delays a call for a moment only.
   */
  const openStream = async ({ limit_ms, signal }: CallLimits): Promise<void> => {
    // A server without sessions could not know whose stream it is.
    if (!isOffered || transport.sessionId === undefined) return;
    opening ??= transport.resumeStream("").catch(() => undefined);
    if (isLate) return;
    const opened = await within(opening, { limit_ms: Math.min(limit_ms, OPENING_MS), signal });
    isLate = opened.is === "timed_out";
  };

  const listen = async (headers: SentHeaders, signal: AbortSignal | undefined): Promise<Response> => {
    const all = { ...authorization, ...headers, accept: "text/event-stream" };
    const response = await openRequest({
      method: "GET",
      url,
      headers: all,
      verify,
      max_bytes: MAX_ANSWER_BYTES,
      signal,
    });
    if (response.ok && isEventStream(response)) {
      const body = closing(response.body, () => {
        opening = null;
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    opening = null;
    if (response.ok) {
      response.close();
      isOffered = mayBeOfferedLater(response.status);
    }
    return empty(405);
  };

  /** The server may be gone, or may not care: either way the session is over for us. */
  const end = async (headers: SentHeaders): Promise<Response> => {
    const limits = { limit_ms: GOODBYE_MS, max_bytes: 0 };
    const all = { ...authorization, ...headers };
    const goodbye = await openRequest({ method: "DELETE", url, headers: all, verify, ...limits });
    if (goodbye.ok) goodbye.close();
    return empty(204);
  };

  const send: FetchLike = (_url, { method, headers: given, body, signal } = {}) => {
    const headers = Object.fromEntries([...new Headers(given)].filter(([name]) => name.startsWith("mcp-")));
    if (method === "GET") return listen(headers, signal ?? undefined);
    if (method === "DELETE") return end(headers);
    const message = JSON.parse(String(body));
    return "method" in message ? post(message, headers) : answer(message, headers);
  };

  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: send, reconnectionOptions });
  const client = new Client(endpoint.client);

  return {
    client,
    transport,
    openStream,
    /** Has the SDK do something within limits. Never rejects. */
    ask: async (deadline: Deadline, work: () => Promise<unknown>) => {
      const asked: Asked = { deadline, id: -1, reply: NOT_SENT };
      const failure = await context.run(asked, work).then(
        () => null,
        (error: unknown) => String(error instanceof Error ? error.message : error),
      );
      return { ...asked, failure };
    },
    close: async (): Promise<void> => {
      // A server that goes on asking would keep its session open.
      isClosing = true;
      await Promise.all(answering);
      await transport.terminateSession();
      await client.close();
    },
  };
}

const empty = (status: number): Response => new Response(null, { status });

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
