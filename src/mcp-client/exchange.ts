// Sends one message to a tool server, with its credentials and within its limits, and decides what the answer means. The message
// is sent once: only the stream of its answer is asked for again.
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, type JsonFields, type JsonTexts, parseJson } from "../domain/json-values.ts";
import { percentDecode } from "../domain/percent-decode.ts";
import { readEvents } from "../http-client/event-stream.ts";
import {
  type HttpFault,
  HttpFaultError,
  type HttpRequest,
  isRedirect,
  type OpenResponse,
  openRequest,
  REDIRECTED,
  textOf,
} from "../http-client/request.ts";
import {
  beginsAsResponse,
  type CallLimits,
  doubledAnswer,
  OF_NEWER_REVISION,
  responseTo,
  rpcErrorIn,
  stopped,
  stoppedBefore,
  type ToolServerReply,
  timedOut,
} from "./reply.ts";

export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type ToolServerConfig = {
  readonly url: string;
  readonly token: string | null;
  /** Asked before the credentials are sent over plain http. */
  readonly verify?: HttpRequest["verify"];
};

export type ToolServerEndpoint = {
  readonly url: string;
  readonly authorization: JsonTexts;
  readonly verify: HttpRequest["verify"];
  /** Of its variables: MCP_{NAME}_URL. */
  readonly name: string;
  /** The name and version of orch, for the server. */
  readonly client: { readonly name: string; readonly version: string };
};

/**
 * Where a tool server is, and the credentials that it is shown. The token is sent as a bearer token. Without one, a name and a
 * password in the URL are sent as basic authentication.
 */
export function endpointOf(
  name: string,
  { url, token, verify }: ToolServerConfig,
  client: ToolServerEndpoint["client"],
): ToolServerEndpoint {
  const address = new URL(url);
  const account = [address.username, address.password].map(percentDecode).join(":");
  address.username = "";
  address.password = "";
  const basic = account === ":" ? null : `Basic ${Buffer.from(account).toString("base64")}`;
  const shown = token === null ? basic : `Bearer ${token}`;
  if (shown === null) return { url: address.href, authorization: {}, verify: undefined, name, client };
  return { url: address.href, authorization: { authorization: shown }, verify, name, client };
}

export type Exchange = {
  readonly endpoint: ToolServerEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: JsonFields;
  readonly limits: CallLimits;
  /** In a session every message has to keep the protocol; without one, servers may keep little of it. */
  readonly is_session: boolean;
  /** Called with what the server asks before it answers. */
  readonly onRequest?: (own: JsonFields) => void;
  /** Called when the server names the session. */
  readonly onSession?: (id: string) => void;
};

/** Never rejects. Hangs up once the answer has been read. A message without an id has no answer, and any success is a result. */
export async function exchange(asked: Exchange): Promise<ToolServerReply> {
  const { endpoint, limits } = asked;
  const response = await openRequest({
    method: "POST",
    url: endpoint.url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...endpoint.authorization,
      ...asked.headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...asked.message }),
    max_bytes: MAX_ANSWER_BYTES,
    verify: endpoint.verify,
    ...limits,
  });
  if (!response.ok) return replyOfFault(response.fault, limits);
  try {
    return await read(response, asked);
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const isAnswer = isSuccess(response) && mediaType(response) === "application/json";
    return error.fault.code === "too_large" && isAnswer
      ? { is: "too_large", message: error.fault.message }
      : replyOfFault(error.fault, limits);
  } finally {
    response.close();
  }
}

function replyOfFault({ code, message, sent }: HttpFault, { limit_ms }: CallLimits): ToolServerReply {
  if (code === "aborted") return sent ? stopped() : stoppedBefore();
  if (!sent) return { is: "unreachable", message };
  if (code === "timed_out") return timedOut(limit_ms);
  return code === "too_large" ? { is: "lost", message, is_garbled: true } : { is: "lost", message };
}

/** In lower case, without parameters; empty where there is none. */
const mediaType = ({ headers }: OpenResponse): string =>
  (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

const isSuccess = ({ status }: OpenResponse): boolean => status >= 200 && status <= 299;

export const isEventStream = (response: OpenResponse): boolean =>
  isSuccess(response) && mediaType(response) === "text/event-stream";

async function read(response: OpenResponse, asked: Exchange): Promise<ToolServerReply> {
  const { id, method } = asked.message;
  if (isRedirect(response.status)) return { is: "foreign", message: REDIRECTED };
  const session_id = response.headers["mcp-session-id"];
  if (typeof session_id === "string") asked.onSession?.(session_id);
  if (!isSuccess(response)) return refusal(response, asked);
  if (typeof method !== "string" || typeof id !== "number") return { is: "result", result: null };
  if (response.status === 202)
    return { is: "lost", message: "the server has accepted the call and does not answer it" };
  if (isEventStream(response)) return readStreams(response, asked, id);
  const text = await textOf(response.body);
  const value = asked.is_session && mediaType(response) !== "application/json" ? undefined : parseJson(text);
  if (value === undefined) return notTheProtocol(response, asked);
  return doubledAnswer(text) ?? responseTo(id, value, asked.is_session) ?? ENDED;
}

const ENDED: ToolServerReply = { is: "lost", message: "the connection ended before the answer came" };

/** Most often the page of a gateway before the server; tool-server.ts knows whether that is so. */
function notTheProtocol(response: OpenResponse, { is_session }: Exchange): ToolServerReply {
  const media = mediaType(response);
  const message = `it answers with ${media === "" ? "no content type" : media}, and that is not JSON-RPC`;
  return is_session || media === "text/html" ? { is: "foreign", message } : { is: "lost", message };
}

/** The status is what matters, even when the body cannot be read. */
async function refusal({ status, headers, body }: OpenResponse, asked: Exchange): Promise<ToolServerReply> {
  const { id, method } = asked.message;
  if (status === 401 && wantsOAuth(headers)) return oauthWanted(asked.endpoint);
  const text = await textOf(body).catch(() => "");
  const refused = { is: "http_error", status, body: text } as const;
  if (status < 400) return { is: "foreign", message: text };
  if (hasOwnResult(text, id)) return { is: "lost", message: `it gave the result under HTTP ${status}` };
  const has_session = asked.headers["mcp-session-id"] !== undefined;
  if (isForgottenSession(status, text, { id, has_session })) return { ...refused, is_session_gone: true };
  const error = rpcErrorIn(text, id);
  if (error === null) return refused;
  const { code, message, is_own } = error;
  if (!asked.is_session && OF_NEWER_REVISION.includes(code)) return { is: "newer_revision", message };
  // With the id of a call it comes from the tool, with any status; a handshake has no tool.
  return is_own && method !== "initialize" ? { is: "rpc_error", code, message } : refused;
}

/** A server that wants OAuth names where its authorization server is described [MCP, Authorization Server Discovery]. */
const wantsOAuth = (headers: IncomingHttpHeaders): boolean =>
  /\bresource_metadata\s*=/i.test(headers["www-authenticate"] ?? "");

const oauthWanted = ({ name }: ToolServerEndpoint): ToolServerReply => ({
  is: "unreachable",
  message: "HTTP 401: it wants OAuth, which orch does not do",
  fix: `Give a token of its authorization server in MCP_${name.toUpperCase()}_TOKEN, or a new one where it has expired.`,
});

const isOfSessions = (text: unknown): boolean =>
  typeof text === "string" && /(?<![a-z])session|not initialized/i.test(text);

/** A result of the request says that the tool ran, under any status. */
const hasOwnResult = (body: string, id: unknown): boolean =>
  typeof id === "number" && responseTo(id, parseJson(body), false)?.is === "result";

type Refused = { readonly id: unknown; readonly has_session: boolean };

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

/** Before the first resumption, where the server does not say how long to wait. */
const FIRST_PAUSE_MS = 1_000;
/** A server may end its stream at once whenever it is resumed: each time is later. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How many resumptions in a row may fail. */
const RESUME_TRIES = 2;

/**
 * The answer from a stream of events. A stream that ends too early is resumed where its events have ids [MCP, Resumability and
 * Redelivery]; the message itself is never sent again.
 */
async function readStreams(first: OpenResponse, asked: Exchange, id: number): Promise<ToolServerReply> {
  const { limits } = asked;
  const until = performance.now() + limits.limit_ms;
  const state: StreamState = { last_event_id: "", retry_ms: FIRST_PAUSE_MS, cut: "" };
  let end = await readStream(first, asked, id, state);
  for (let resumed = 0, failures = 0; ; resumed += 1) {
    if (end.is !== "ended") return end;
    if (state.last_event_id === "") return end.lost;
    const growing = resumed === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** resumed);
    const pause_ms = Math.min(Math.max(state.retry_ms, growing), Math.max(0, until - performance.now()));
    await sleep(pause_ms, undefined, { signal: limits.signal }).catch(() => undefined);
    if (limits.signal.aborted) return stopped();
    if (performance.now() >= until) return timedOut(limits.limit_ms);
    const stream = await resume(asked, state.last_event_id, until - performance.now());
    if (stream.ok && isEventStream(stream)) {
      failures = 0;
      end = await readStream(stream, asked, id, state);
      continue;
    }
    const reason = stream.ok ? `HTTP ${stream.status}` : stream.fault.message;
    if (stream.ok) stream.close();
    failures += 1;
    if ((stream.ok && stream.status === 405) || failures >= RESUME_TRIES)
      return { is: "lost", message: `its stream could not be resumed: ${reason}` };
  }
}

const resume = ({ endpoint, headers, limits }: Exchange, last_event_id: string, left_ms: number) =>
  openRequest({
    method: "GET",
    url: endpoint.url,
    headers: { ...endpoint.authorization, ...headers, accept: "text/event-stream", "last-event-id": last_event_id },
    max_bytes: MAX_ANSWER_BYTES,
    verify: endpoint.verify,
    limit_ms: Math.max(1, left_ms),
    signal: limits.signal,
  });

type StreamState = { last_event_id: string; retry_ms: number; cut: string };
type StreamEnd = ToolServerReply | { readonly is: "ended"; readonly lost: ToolServerReply };

/** Ends with the answer: a server may leave its stream open. */
async function readStream(
  { body }: OpenResponse,
  { is_session, limits, onRequest }: Exchange,
  id: number,
  state: StreamState,
): Promise<StreamEnd> {
  const listeners = {
    onRetry: (wait_ms: number) => {
      state.retry_ms = wait_ms;
    },
    onCut: (data: string) => {
      state.cut = data;
    },
  };
  try {
    for await (const { id: event_id, event = "message", data } of readEvents(body, listeners)) {
      state.last_event_id = event_id ?? state.last_event_id;
      if (event !== "message") continue;
      const value = parseJson(data);
      if (isRecord(value) && typeof value["method"] === "string" && value["id"] !== undefined) onRequest?.(value);
      const reply = responseTo(id, value, is_session);
      // What cannot be read is not about this message.
      if (reply !== null && !(reply.is === "lost" && reply.is_garbled)) return doubledAnswer(data) ?? reply;
    }
    return { is: "ended", lost: ENDED };
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    const { code, message } = error.fault;
    if (code === "timed_out" || code === "aborted") return replyOfFault(error.fault, limits);
    const lost = { is: "lost", message: `the connection was lost before the answer came: ${message}` } as const;
    if (code !== "too_large") return { is: "ended", lost };
    return beginsAsResponse(state.cut) ? { is: "too_large", message } : lost;
  }
}
