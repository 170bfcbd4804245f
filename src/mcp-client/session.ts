// A session with a tool server, by the handshake of the protocol's revisions up to 2025-11-25.
import { isRecord, type JsonFields, parseJson } from "../domain/json-values.ts";
import { type OpenResponse, openRequest, textOf } from "../http-client/request.ts";
import type { ToolServerEndpoint } from "./endpoint.ts";
import { isSuccess, mediaType, post } from "./post.ts";
import type { CallLimits, Dialect, ToolServerReply } from "./reply.ts";
import { doubledAnswer, garbled, responseInSession, rpcErrorIn } from "./rpc-message.ts";
import { createServerStream } from "./server-stream.ts";
import { responseInStream } from "./session-stream.ts";
import { oauthWanted, wantsOAuth } from "./unsupported.ts";

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
