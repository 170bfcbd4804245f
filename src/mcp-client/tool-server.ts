// Calls one tool server. The first request determines its dialect, which is kept until a request fails (D-075). A call is sent
// once. Only a call that the server refused before a tool could run is sent again, in another dialect, or in a new session when
// the server does not know the session any more, for example after a restart.
import { isRecord, type JsonFields } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import { HttpFaultError, openRequest } from "../http-client/request.ts";
import { exchange, isEventStream, type ToolServerEndpoint } from "./exchange.ts";
import {
  type CallLimits,
  type Deadline,
  type Dialect,
  httpErrorText,
  left,
  stoppedBefore,
  type ToolMethod,
  type ToolServerReply,
  timedOut,
  within,
} from "./reply.ts";

type Opening = { readonly dialect: Dialect } | { readonly fault: ToolServerReply };

export type ToolServer = {
  /** Never rejects. */
  request(method: ToolMethod, params: JsonFields, limits: CallLimits): Promise<ToolServerReply>;
  close(): Promise<void>;
};

type ToolRequest = { readonly method: ToolMethod; readonly params: JsonFields; readonly deadline: Deadline };

const HANDSHAKE_MS = 10_000;

export function createToolServer(endpoint: ToolServerEndpoint): ToolServer {
  const closing = new AbortController();
  const dropped = new Set<Promise<void>>();
  let known: Dialect | null = null;
  /** Whether something that does not speak the protocol answers in place of the server: then a call does not reach it. */
  let isShut = false;
  let opening: Promise<Opening> | null = null;

  const drop = (dialect: Dialect): void => {
    if (known !== dialect) return;
    known = null;
    const end = dialect.close().finally(() => dropped.delete(end));
    dropped.add(end);
  };

  const open = async (): Promise<Opening> => {
    // The SDK is loaded with the first call.
    const { openSession } = await import("./session.ts");
    const opened = await openSession(endpoint, { limit_ms: HANDSHAKE_MS, signal: closing.signal });
    const isOlder = "fault" in opened && (await speaksOlderTransport(endpoint, opened.fault, closing.signal));
    opening = null;
    if (isOlder) return { fault: olderTransport(endpoint) };
    if ("fault" in opened && !mayKnowOnlyTheCall(opened.fault)) return { fault: uncalled(opened.fault) };
    isShut = "fault" in opened && isForeign(opened.fault);
    const dialect = "session" in opened ? opened.session : createStatelessRequests(endpoint, "bare");
    known = dialect;
    return { dialect };
  };

  /** Concurrent callers share one handshake, each for as long as its limits allow. */
  const opened = async (limits: CallLimits): Promise<Opening> => {
    if (known !== null) return { dialect: known };
    opening ??= open();
    const end = await within(opening, limits);
    if (end.is === "done") return end.value;
    return { fault: end.is === "stopped" ? stoppedBefore() : uncalled(timedOut(limits.limit_ms)) };
  };

  const request = async (tool_request: ToolRequest, mayRenew: boolean): Promise<ToolServerReply> => {
    const { method, params, deadline } = tool_request;
    const end = await opened(left(deadline));
    if ("fault" in end) return end.fault;
    const { dialect } = end;
    const reply = await dialect.request(method, params, deadline);
    if (reply.is === "newer_revision" && dialect.kind === "bare") {
      if (known === dialect) known = createStatelessRequests(endpoint, "modern");
      return request(tool_request, false);
    }
    if (isAnswer(reply)) return reply;
    drop(dialect);
    if (reply.is === "foreign") return isShut ? reply : { is: "lost", message: reply.message };
    const isGone = reply.is === "http_error" && reply.is_session_gone === true;
    return isGone && mayRenew ? request(tool_request, false) : reply;
  };

  return {
    request: async (method, params, { limit_ms, signal }) => {
      if (signal.aborted) return stoppedBefore();
      const deadline = { until: performance.now() + limit_ms, signal };
      // Only a session that existed before this request can have been forgotten.
      const reply = await request({ method, params, deadline }, known !== null);
      return reply.is === "timed_out" ? timedOut(limit_ms) : reply;
    },
    close: async () => {
      closing.abort();
      if (known !== null) drop(known);
      await Promise.all(dropped);
    },
  };
}

const isAnswer = ({ is }: ToolServerReply): boolean => is === "result" || is === "rpc_error" || is === "too_large";

const isForeign = (fault: ToolServerReply): boolean =>
  fault.is === "foreign" || fault.is === "too_large" || (fault.is === "lost" && fault.is_garbled === true);

/** A server that refuses the handshake for another reason than the caller may support the bare call only. */
function mayKnowOnlyTheCall(fault: ToolServerReply): boolean {
  if (fault.is === "http_error") return ![401, 403, 429].includes(fault.status) && fault.status < 500;
  return fault.is === "rpc_error" || isForeign(fault);
}

/** The reply for a failed handshake: no tool was called. */
function uncalled(fault: ToolServerReply): ToolServerReply {
  switch (fault.is) {
    case "http_error":
      return { is: "unreachable", message: httpErrorText(fault) };
    case "stopped":
      return stoppedBefore();
    case "lost":
    case "timed_out":
      return { is: "unreachable", message: `no handshake: ${fault.message}` };
    default:
      return fault;
  }
}

const MODERN = "2026-07-28";

/**
 * Stateless requests, for servers without a handshake: bare JSON-RPC [4.mcp.request], and the form of the protocol's revision
 * 2026-07-28.
 */
const createStatelessRequests = (endpoint: ToolServerEndpoint, kind: "bare" | "modern"): Dialect => ({
  kind,
  request: async (method, params, deadline) => {
    const form = kind === "bare" ? { headers: {}, params } : modernForm(endpoint, method, params);
    if (form === null) return NO_HEADER;
    const message = { id: 1, method, params: form.params };
    return exchange({ endpoint, headers: form.headers, message, limits: left(deadline), is_session: false });
  },
  close: async () => {},
});

const NO_HEADER: ToolServerReply = {
  is: "unreachable",
  message: "its revision of the protocol wants the name of a tool in a header, where this one cannot stand",
};

/** Null when the name cannot be sent in a header, where this revision wants it. */
function modernForm({ client }: ToolServerEndpoint, method: ToolMethod, params: JsonFields) {
  const { name, _meta: given } = params;
  if (typeof name === "string" && !/^[\x21-\x7e]+$/.test(name)) return null;
  const named: Record<string, string> = typeof name === "string" ? { "mcp-name": name } : {};
  const _meta = {
    ...(isRecord(given) && given),
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": client,
  };
  return {
    headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...named },
    params: { ...params, _meta },
  };
}

const LOOK_MS = 2_000;
const LOOK_BYTES = 64 * 1024;

/**
 * Recognises a server with the older transport: its address takes no POST, and gives a stream whose first event names another address
 * [MCP, Backwards Compatibility].
 */
async function speaksOlderTransport(
  { url, authorization, verify }: ToolServerEndpoint,
  fault: ToolServerReply,
  signal: AbortSignal,
): Promise<boolean> {
  if (fault.is !== "http_error" || ![404, 405].includes(fault.status)) return false;
  const headers = { ...authorization, accept: "text/event-stream" };
  const limits = { limit_ms: LOOK_MS, max_bytes: LOOK_BYTES, signal };
  const response = await openRequest({ method: "GET", url, headers, verify, ...limits });
  if (!response.ok) return false;
  try {
    if (!isEventStream(response)) return false;
    for await (const { event } of readEvents(response.body)) return event === "endpoint";
    return false;
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    return false;
  } finally {
    response.close();
  }
}

const olderTransport = ({ name }: ToolServerEndpoint): ToolServerReply => ({
  is: "unreachable",
  message: "it speaks the older SSE transport, which orch does not",
  fix: `Set MCP_${name.toUpperCase()}_URL to its address for streamable HTTP, or put a proxy before it.`,
});
