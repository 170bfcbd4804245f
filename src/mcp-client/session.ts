// Holds a session with a tool server, by the handshake of the protocol's revisions up to 2025-11-25, reads its responses and
// listens to the server outside of them.
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, type JsonFields, parseJson } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import {
  type HttpFault,
  HttpFaultError,
  type HttpRequest,
  type OpenResponse,
  openRequest,
  textOf,
} from "../http-client/request.ts";
import {
  isSuccess,
  MAX_ANSWER_BYTES,
  mediaType,
  oauthWanted,
  post,
  replyOfFault,
  type ToolServerEndpoint,
  wantsOAuth,
} from "./post.ts";
import {
  beginsAsResponse,
  type CallLimits,
  type Dialect,
  doubledAnswer,
  garbled,
  responseInSession,
  rpcErrorIn,
  stopped,
  type ToolServerReply,
  timedOut,
  within,
} from "./reply.ts";

const OFFERED = "2025-11-25";
const REVISIONS: readonly unknown[] = [OFFERED, "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
const GOODBYE_MS = 1_000;
/** Of an answer to what the server asks. */
const ANSWER_MS = 10_000;
/** At once in a session, on all its streams. What a server asks meanwhile is not answered. */
const MOST_ANSWERS = 16;
const NEVER = new AbortController().signal;

type Conversation = {
  readonly endpoint: ToolServerEndpoint;
  /** The session id and the revision, once they are known. */
  readonly headers: Record<string, string>;
  next_id: number;
  /** Answers under way to what the server asks, on its own stream or on that of a response. */
  readonly answering: Set<Promise<unknown>>;
};

/** Shakes hands. When that fails, no tool has been called. */
export async function openSession(
  endpoint: ToolServerEndpoint,
  { limit_ms, signal }: CallLimits,
): Promise<{ readonly session: Dialect } | { readonly fault: ToolServerReply }> {
  const until = performance.now() + limit_ms;
  const conversation: Conversation = { endpoint, headers: {}, next_id: 1, answering: new Set() };
  const params = { protocolVersion: OFFERED, capabilities: {}, clientInfo: endpoint.client };
  const offer = { id: conversation.next_id++, method: "initialize", params };
  const welcome = await send(conversation, offer, { limit_ms, signal });
  if (welcome.is !== "result") return { fault: welcome };
  const fault = faultInWelcome(welcome.result, conversation);
  if (fault !== null) return { fault };
  const left = { signal, limit_ms: Math.max(1, until - performance.now()) };
  const confirmed = await send(conversation, { method: "notifications/initialized" }, left);
  return confirmed.is === "result" ? { session: sessionOf(conversation) } : { fault: confirmed };
}

function faultInWelcome(result: unknown, { headers }: Conversation): ToolServerReply | null {
  const { protocolVersion: revision, capabilities, serverInfo } = isRecord(result) ? result : {};
  if (typeof revision !== "string" || !isRecord(capabilities) || !isRecord(serverInfo)) return garbled();
  headers["mcp-protocol-version"] = revision;
  if (REVISIONS.includes(revision)) return null;
  return { is: "foreign", message: `Server's protocol version is not supported: ${revision}` };
}

/** After these the server may still be at work, and is notified that it need not be. */
const WITHOUT_RESPONSE: readonly ToolServerReply["is"][] = ["lost", "timed_out", "stopped"];

function sessionOf(conversation: Conversation): Dialect {
  const underWay = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };
  const cancel = (requestId: number) => {
    const message = { method: "notifications/cancelled", params: { requestId, reason: "no answer" } };
    return send(conversation, message, { limit_ms: GOODBYE_MS, signal: NEVER });
  };
  const { endpoint, headers } = conversation;
  const { url, authorization, verify } = endpoint;
  const stream = createServerStream({
    url,
    verify,
    headers: () => ({ ...authorization, ...headers }),
    answer: (own) => answerServer(conversation, own),
  });
  return {
    kind: "session",
    request: async (method, params, { limit_ms, signal }) => {
      const until = performance.now() + limit_ms;
      // A server without sessions could not know whose stream it is.
      if (headers["mcp-session-id"] !== undefined) await stream.open({ limit_ms, signal });
      const limits = { signal, limit_ms: Math.max(1, Math.round(until - performance.now())) };
      const id = conversation.next_id++;
      const reply = toolErrorIn(await track(send(conversation, { id, method, params }, limits)), id);
      if (WITHOUT_RESPONSE.includes(reply.is)) void track(cancel(id));
      return reply;
    },
    close: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      // A server that goes on asking would keep its session open.
      stream.close();
      await Promise.all(conversation.answering);
      await endSession(conversation);
    },
  };
}

/** One message. Without an id it has no response, and any success is a result. Never rejects. */
function send(conversation: Conversation, message: JsonFields, limits: CallLimits): Promise<ToolServerReply> {
  const { endpoint, headers } = conversation;
  const has_session = headers["mcp-session-id"] !== undefined;
  return post({ endpoint, headers, message }, limits, async (response) => {
    const session_id = response.headers["mcp-session-id"];
    if (typeof session_id === "string") headers["mcp-session-id"] = session_id;
    const { method, id } = message;
    if (!isSuccess(response)) return refusal(response, { id, has_session, endpoint });
    if (typeof method !== "string" || typeof id !== "number") return { is: "result", result: null };
    if (response.status === 202)
      return { is: "lost", message: "the server has accepted the call and does not answer it" };
    const media = mediaType(response);
    if (media === "text/event-stream") {
      const answer = (own: JsonFields) => answerServer(conversation, own);
      const all = { ...endpoint.authorization, ...headers };
      const { url, verify } = endpoint;
      return responseInStream({ id, url, headers: all, verify, limits, answer }, response);
    }
    if (media !== "application/json")
      return { is: "foreign", message: `Unexpected content type: ${response.headers["content-type"] ?? null}` };
    const text = await textOf(response.body);
    return (
      doubledAnswer(text) ??
      responseInSession(parseJson(text), id) ?? { is: "lost", message: "the connection ended before the answer came" }
    );
  });
}

type Refused = { readonly id: unknown; readonly has_session: boolean };
type Refusing = Refused & { readonly endpoint: ToolServerEndpoint };

/** The status is what matters, even when the body cannot be read. */
async function refusal({ status, headers, body }: OpenResponse, refused: Refusing): Promise<ToolServerReply> {
  if (status === 401 && wantsOAuth(headers)) return oauthWanted(refused.endpoint);
  const text = await textOf(body).catch(() => "");
  if (status < 400) return { is: "foreign", message: text };
  if (hasOwnResult(text, refused.id)) return { is: "lost", message: `it gave the result under HTTP ${status}` };
  if (isForgottenSession(status, text, refused)) return { is: "http_error", status, body: text, is_session_gone: true };
  return { is: "http_error", status, body: text };
}

/** An error with the id of the request comes from the tool, with any HTTP status. */
function toolErrorIn(reply: ToolServerReply, id: number): ToolServerReply {
  if (reply.is !== "http_error" || reply.is_session_gone === true) return reply;
  const error = rpcErrorIn(reply.body, id);
  return error?.is_own === true ? { is: "rpc_error", code: error.code, message: error.message } : reply;
}

const isOfSessions = (text: unknown): boolean =>
  typeof text === "string" && /(?<![a-z])session|not initialized/i.test(text);

/** A result of the request says that the tool ran, under any status. */
const hasOwnResult = (body: string, id: unknown): boolean =>
  typeof id === "number" && responseInSession(parseJson(body), id)?.is === "result";

/** The protocol answers 404, with any other body [MCP, Session Management]. Many servers answer 400, and say so. */
export function isForgottenSession(status: number, body: string, { id, has_session }: Refused): boolean {
  if (!has_session || hasOwnResult(body, id)) return false;
  if (status === 404) return true;
  if (status !== 400) return false;
  const error = rpcErrorIn(body, id);
  if (error !== null) return !error.is_own && isOfSessions(error.message);
  const value = parseJson(body);
  // Some servers answer without JSON-RPC: `{"error": "missing_session_id"}`.
  if (value !== undefined) return isRecord(value) && isOfSessions(value["error"]);
  return body.length < 200 && isOfSessions(body);
}

function answerServer(conversation: Conversation, own: JsonFields): void {
  const { answering } = conversation;
  if (answering.size >= MOST_ANSWERS) return;
  const work = send(conversation, answerTo(own), { limit_ms: ANSWER_MS, signal: NEVER });
  answering.add(work);
  void work.finally(() => answering.delete(work));
}

const answerTo = ({ id, method }: JsonFields): JsonFields =>
  method === "ping" ? { id, result: {} } : { id, error: { code: -32_601, message: "Method not found" } };

/** The server may be gone, or may not care: either way the session is over for us. */
async function endSession({ endpoint, headers }: Conversation): Promise<void> {
  if (headers["mcp-session-id"] === undefined) return;
  const all = { ...endpoint.authorization, ...headers };
  const { url, verify } = endpoint;
  const limits = { limit_ms: GOODBYE_MS, max_bytes: 0 };
  const goodbye = await openRequest({ method: "DELETE", url, headers: all, verify, ...limits });
  if (goodbye.ok) goodbye.close();
}

type AwaitedResponse = {
  readonly id: number;
  readonly url: string;
  /** Of every request in the session. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verify: HttpRequest["verify"];
  readonly limits: CallLimits;
  /** Answers what the server asks before it responds. */
  readonly answer: (own: JsonFields) => void;
};

/** Before the first resumption, where the server does not say how long to wait. */
const FIRST_PAUSE_MS = 1_000;
/** A server may end its stream at once whenever it is resumed: each time is later. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How many resumptions in a row may fail. */
const RESUME_TRIES = 2;

type StreamState = { last_event_id: string; retry_ms: number; resumed: number };

/**
 * The response to a request in a session, from a stream of events. A stream that ends too early is resumed where its events have
 * ids [MCP, Resumability and Redelivery]; the request itself is never sent again.
 */
async function responseInStream(awaited: AwaitedResponse, response: OpenResponse): Promise<ToolServerReply> {
  const until = performance.now() + awaited.limits.limit_ms;
  const state: StreamState = { last_event_id: "", retry_ms: FIRST_PAUSE_MS, resumed: 0 };
  for (let stream = response; ; ) {
    const end = await readStream(awaited, stream, state);
    if ("is" in end) return end;
    const isFinal = end.fault !== null && end.fault.code !== "lost";
    if (isFinal || state.last_event_id === "") return endedEarly(end.fault, awaited.limits);
    const resumed = await resume(awaited, state, until);
    if ("is" in resumed) return resumed;
    stream = resumed;
  }
}

function endedEarly(fault: HttpFault | null, limits: CallLimits): ToolServerReply {
  if (fault === null) return { is: "lost", message: "the connection ended before the answer came" };
  if (fault.code === "timed_out" || fault.code === "aborted") return replyOfFault(fault, limits);
  return { is: "lost", message: `the connection was lost before the answer came: ${fault.message}` };
}

type StreamEnd = ToolServerReply | { readonly fault: HttpFault | null };

async function readStream(
  { id, answer }: AwaitedResponse,
  { body }: OpenResponse,
  state: StreamState,
): Promise<StreamEnd> {
  let cut = "";
  const listeners = {
    onRetry: (wait_ms: number) => {
      state.retry_ms = wait_ms;
    },
    onCut: (data: string) => {
      cut = data;
    },
  };
  try {
    for await (const { id: event_id, event = "message", data } of readEvents(body, listeners)) {
      state.last_event_id = event_id ?? state.last_event_id;
      if (event !== "message") continue;
      const value = parseJson(data);
      if (isServerRequest(value)) answer(value);
      const reply = responseInSession(value, id);
      // What cannot be read is not about this request.
      if (reply !== null && !(reply.is === "lost" && reply.is_garbled)) return doubledAnswer(data) ?? reply;
    }
    return { fault: null };
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const { code, message } = error.fault;
    return code === "too_large" && beginsAsResponse(cut) ? { is: "too_large", message } : { fault: error.fault };
  }
}

/** Asks for the stream from the last event on, again and later when that fails. */
async function resume(
  { url, headers, verify, limits: { limit_ms, signal } }: AwaitedResponse,
  state: StreamState,
  until: number,
): Promise<OpenResponse | ToolServerReply> {
  for (let failures = 0; ; ) {
    const growing = state.resumed === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** state.resumed);
    const pause_ms = Math.min(Math.max(state.retry_ms, growing), Math.max(0, until - performance.now()));
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return stopped();
    if (performance.now() >= until) return timedOut(limit_ms);
    const response = await openRequest({
      method: "GET",
      url,
      headers: { ...headers, accept: "text/event-stream", "last-event-id": state.last_event_id },
      max_bytes: MAX_ANSWER_BYTES,
      verify,
      limit_ms: Math.max(1, until - performance.now()),
      signal,
    });
    state.resumed += 1;
    if (response.ok && isSuccess(response) && mediaType(response) === "text/event-stream") return response;
    const reason = response.ok ? `HTTP ${response.status}` : response.fault.message;
    if (response.ok) response.close();
    failures += 1;
    const isRefused = response.ok && response.status === 405;
    if (isRefused || failures >= RESUME_TRIES)
      return { is: "lost", message: `its stream could not be resumed: ${reason}` };
  }
}

type Listening = {
  readonly url: string;
  /** Of every request in the session. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly verify: HttpRequest["verify"];
  readonly answer: (own: JsonFields) => void;
};

type ServerStream = {
  /** Opens it where it is offered and not open. A server that does not answer delays a call for a moment only. */
  readonly open: (limits: CallLimits) => Promise<void>;
  readonly close: () => void;
};

const OPENING_MS = 1_000;

/**
 * Listens to a server outside of its responses, on the stream that it may offer [MCP, Listening for Messages from the Server]: a
 * server that asks there and is not answered would wait in the middle of a call.
 */
function createServerStream({ url, headers, verify, answer }: Listening): ServerStream {
  const closing = new AbortController();
  let isOffered = true;
  /** Some servers answer with the first thing that they ask: no call waits for that twice. */
  let isLate = false;
  /** Resolves when the server has answered; null while there is no stream. */
  let opening: Promise<void> | null = null;

  const listen = async (): Promise<void> => {
    const asked = { ...headers(), accept: "text/event-stream" };
    const limits = { max_bytes: MAX_ANSWER_BYTES, signal: closing.signal };
    const response = await openRequest({ method: "GET", url, headers: asked, verify, ...limits });
    if (response.ok && isSuccess(response) && mediaType(response) === "text/event-stream") {
      void readRequests(response, answer).finally(() => (opening = null));
      return;
    }
    opening = null;
    if (!response.ok) return;
    response.close();
    isOffered = mayBeOfferedLater(response.status);
  };

  return {
    open: async ({ limit_ms, signal }) => {
      if (!isOffered || closing.signal.aborted) return;
      opening ??= listen();
      if (isLate) return;
      const end = await within(opening, { limit_ms: Math.min(limit_ms, OPENING_MS), signal });
      isLate = end.is === "timed_out";
    },
    close: () => closing.abort(),
  };
}

/** Busy, or with another stream that is still open. 405 says that there is none. */
const mayBeOfferedLater = (status: number): boolean => status >= 500 || status === 409 || status === 429;

async function readRequests({ body }: OpenResponse, answer: Listening["answer"]): Promise<void> {
  try {
    for await (const { event = "message", data } of readEvents(body)) {
      const value = event === "message" ? parseJson(data) : null;
      if (isServerRequest(value)) answer(value);
    }
  } catch {
    // It is opened anew before the next request.
  }
}

const isServerRequest = (value: unknown): value is JsonFields =>
  isRecord(value) && typeof value["method"] === "string" && value["id"] !== undefined;
