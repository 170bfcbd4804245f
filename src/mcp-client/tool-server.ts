// Calls one tool server. The first request determines its dialect, which is kept until a request fails (D-075). A call is sent
// once. Only a call that the server refused before a tool could run is sent again, in another dialect, or in a new session when
// the server does not know the session any more, for example after a restart.
import { isRecord, parseJson } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import { HttpFaultError, type OpenResponse, textOf } from "../http-client/request.ts";
import { isSuccess, mediaType, olderTransport, post, speaksOlderTransport, type ToolServerEndpoint } from "./post.ts";
import {
  beginsAsResponse,
  type CallLimits,
  type Dialect,
  doubledAnswer,
  httpErrorText,
  OF_NEWER_REVISION,
  rpcErrorIn,
  statelessResponse,
  stoppedBefore,
  type ToolMethod,
  type ToolServerReply,
  timedOut,
  within,
} from "./reply.ts";
import { openSession } from "./session.ts";

type Params = Readonly<Record<string, unknown>>;
type Opening = { readonly dialect: Dialect } | { readonly fault: ToolServerReply };

export type ToolServer = {
  /** Never rejects. */
  request(method: ToolMethod, params: Params, limits: CallLimits): Promise<ToolServerReply>;
  close(): Promise<void>;
};

/** `until` is the deadline of the whole request: the handshake, a refused attempt, and the response. */
type ToolRequest = {
  readonly method: ToolMethod;
  readonly params: Params;
  readonly until: number;
  readonly signal: AbortSignal;
};

const left = ({ until, signal }: ToolRequest): CallLimits => ({
  signal,
  limit_ms: Math.max(1, Math.round(until - performance.now())),
});

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
    const end = await opened(left(tool_request));
    if ("fault" in end) return end.fault;
    const { dialect } = end;
    const reply = await dialect.request(tool_request.method, tool_request.params, left(tool_request));
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
      const until = performance.now() + limit_ms;
      // Only a session that existed before this request can have been forgotten.
      const reply = await request({ method, params, until, signal }, known !== null);
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
const ID = 1;

type StatelessRequestsParams = Readonly<Record<string, unknown>>;
type Request = { readonly headers: Readonly<Record<string, string>>; readonly params: StatelessRequestsParams };

/**
 * Stateless requests, for servers without a handshake: bare JSON-RPC [4.mcp.request], and the form of the protocol's revision
 * 2026-07-28.
 */
const createStatelessRequests = (endpoint: ToolServerEndpoint, kind: "bare" | "modern"): Dialect => ({
  kind,
  request: async (method, params, limits) => {
    const request = kind === "bare" ? { headers: {}, params } : modernRequest(endpoint, method, params);
    if (request === null) return NO_HEADER;
    const message = { id: ID, method, params: request.params };
    return post({ endpoint, headers: request.headers, message }, limits, readResponse);
  },
  close: async () => {},
});

const NO_HEADER: ToolServerReply = {
  is: "unreachable",
  message: "its revision of the protocol wants the name of a tool in a header, where this one cannot stand",
};

/** Null when the name cannot be sent in a header, where this revision wants it. */
function modernRequest(
  { client }: ToolServerEndpoint,
  method: ToolMethod,
  params: StatelessRequestsParams,
): Request | null {
  const _meta = {
    ...(isRecord(params["_meta"]) && params["_meta"]),
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": client,
  };
  const { name } = params;
  if (typeof name === "string" && !/^[\x21-\x7e]+$/.test(name)) return null;
  const named = typeof name === "string" ? { "mcp-name": name } : {};
  return {
    headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...named },
    params: { ...params, _meta },
  };
}

/** JSON or a stream of events, from servers that keep more or less of the protocol. */
async function readResponse(response: OpenResponse): Promise<ToolServerReply> {
  if (!isSuccess(response)) return refusal(response);
  const media = mediaType(response);
  if (media === "text/event-stream") return readStream(response);
  const text = await textOf(response.body);
  const value = parseJson(text);
  if (value !== undefined) return doubledAnswer(text) ?? statelessResponse(value, ID) ?? NO_RESPONSE;
  const what = media === "" ? "without a content type" : media;
  // Most often the page of a gateway before the server; tool-server.ts knows whether that is so.
  if (media === "text/html") return { is: "foreign", message: `it answers with ${what}, which is not the protocol` };
  return { is: "lost", message: `it answers with ${what}, and that is not JSON` };
}

const NO_RESPONSE: ToolServerReply = { is: "lost", message: "what it answered is no answer to the call" };

/** An error with our own id comes from the tool, with any status. */
async function refusal(response: OpenResponse): Promise<ToolServerReply> {
  const refused = { is: "http_error", status: response.status, body: await textOf(response.body) } as const;
  const error = rpcErrorIn(refused.body, ID);
  if (error === null) return refused;
  const { code, message, is_own } = error;
  if (OF_NEWER_REVISION.includes(code)) return { is: "newer_revision", message };
  return is_own ? { is: "rpc_error", code, message } : refused;
}

function answerIn(data: string): ToolServerReply | null {
  const reply = statelessResponse(parseJson(data), ID);
  return reply === null ? null : (doubledAnswer(data) ?? reply);
}

/** Ends with the response: a server may leave its stream open. */
async function readStream({ body }: OpenResponse): Promise<ToolServerReply> {
  let cut = "";
  const onCut = (data: string) => {
    cut = data;
  };
  try {
    for await (const { event = "message", data } of readEvents(body, { onCut })) {
      const reply = event === "message" ? answerIn(data) : null;
      if (reply !== null) return reply;
    }
    return NO_RESPONSE;
  } catch (error) {
    const fault = error instanceof HttpFaultError ? error.fault : null;
    if (fault?.code === "too_large" && beginsAsResponse(cut)) return { is: "too_large", message: fault.message };
    throw error;
  }
}
