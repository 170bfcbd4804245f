// Asks a tool server: in a session, and where a server refuses the handshake, with requests that stand alone (spec section
// 4: HTTP POST with a JSON-RPC 2.0 request). A call goes out once; only what was refused before any tool could run is sent
// again, in another way.
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Dialect, Server } from "./endpoint.ts";
import { faultOf, heard, NOT_RPC, rpcErrorIn } from "./heard.ts";
import { type Fields, isRecord, parsed, type Texts } from "./json-values.ts";
import { type Bounds, type Reply, reply, timedOut, within } from "./reply.ts";

const STOPPED = "orch: stopped on request";
const CLIENT = { name: "orch", version: "flow" };
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
/** Not the latest: with that a server may end a stream on purpose, for the client to take it up again. */
const OFFERED = "2025-06-18";
const MODERN = "2026-07-28";
const NO_HEADER = "its revision of the protocol wants the name of a tool in a header, where this one cannot stand";
const NEVER = new AbortController().signal;

/** Never rejects. */
export async function ask(server: Server, asked: Asked, { limit_ms, abort }: Bounds): Promise<Reply> {
  if (abort.aborted) return reply("unreachable", `${STOPPED}, before anything was called`);
  const until = performance.now() + limit_ms;
  const left = () => ({ abort, limit_ms: Math.max(1, Math.round(until - performance.now())) });
  // Only a session that was there before can have been forgotten.
  for (let mayRenew = server.dialect !== null; ; mayRenew = false) {
    const fault = server.dialect === null ? await open(server, left()) : null;
    const dialect = server.dialect;
    if (fault !== null || dialect === null) return fault ?? reply("unreachable", "");
    const got = await (dialect.kind === "modern" ? askAlone : askOnce)(server, dialect, asked, left());
    if (got.is === "newer_revision" && dialect.kind === "bare") {
      server.dialect = { kind: "modern", headers: {} };
      continue;
    }
    if (got.is === "result" || got.is === "rpc_error") return got;
    server.dialect = null;
    if (got.is === "foreign") return server.isShut ? got : reply("lost", got.message);
    if (got.is === "timed_out") return timedOut(limit_ms);
    if (got.is !== "http_error" || dialect.kind !== "session") return got;
    if (isForgotten(got) && mayRenew) continue;
    // An error with our own id comes from behind the protocol, whatever the status says.
    const error = rpcErrorIn(got.message);
    return error?.has_id === true ? reply("rpc_error", error.message, error.code) : got;
  }
}

/** Shakes hands. A server that refuses the handshake, and not us, may be one that knows only the call itself. */
async function open(server: Server, { limit_ms, abort }: Bounds): Promise<Reply | null> {
  const bounds = { limit_ms: Math.min(10_000, limit_ms), abort };
  const session: Dialect = { kind: "session", headers: {} };
  const offer = { protocolVersion: OFFERED, capabilities: {}, clientInfo: CLIENT };
  const until = performance.now() + bounds.limit_ms;
  let got = welcomed(
    await exchange(server, session, { id: server.next_id++, method: "initialize", params: offer }, bounds),
    session,
  );
  if (got.is === "result") {
    const rest = { abort, limit_ms: Math.max(1, until - performance.now()) };
    got = await exchange(server, session, { method: "notifications/initialized" }, rest);
  }
  server.isShut = got.is === "foreign" || got.is === "garbled";
  const { is, code, message } = got;
  const isRefused = is === "http_error" && ![401, 403, 429].includes(code) && code < 500;
  if (is === "result") server.dialect = session;
  else if (isRefused || is === "rpc_error" || server.isShut) server.dialect = { kind: "bare", headers: {} };
  else if (is === "http_error") return reply("unreachable", `HTTP ${code} ${message}`.trimEnd());
  else if (is === "stopped") return reply("unreachable", `${STOPPED}, before anything was called`);
  else if (is === "unreachable") return got;
  else return reply("unreachable", `no handshake: ${is === "timed_out" ? timedOut(bounds.limit_ms).message : message}`);
  return null;
}

function welcomed(got: Reply, { headers }: Dialect): Reply {
  if (got.is !== "result") return got;
  const { protocolVersion: revision, capabilities, serverInfo } = isRecord(got.result) ? got.result : {};
  if (typeof revision !== "string" || !isRecord(capabilities) || !isRecord(serverInfo))
    return reply("garbled", NOT_RPC);
  if (!REVISIONS.includes(revision)) return reply("garbled", `Server's protocol version is not supported: ${revision}`);
  headers["mcp-protocol-version"] = revision;
  return got;
}

type Asked = { readonly method: string; readonly params: Fields };

/** A session hears that an answer is not wanted any more. */
async function askOnce(server: Server, dialect: Dialect, asked: Asked, bounds: Bounds): Promise<Reply> {
  const id = server.next_id++;
  const got = await exchange(server, dialect, { id, ...asked }, bounds);
  const withdrawal = { method: "notifications/cancelled", params: { requestId: id, reason: "no answer" } };
  if (dialect.kind === "session" && ["lost", "garbled", "timed_out", "stopped"].includes(got.is))
    await exchange(server, dialect, withdrawal, { limit_ms: 1_000, abort: NEVER });
  return got;
}

/** The request itself tells what a handshake would, and its headers what it is. */
async function askAlone(server: Server, { kind }: Dialect, { method, params }: Asked, bounds: Bounds): Promise<Reply> {
  const name = typeof params["name"] === "string" ? params["name"] : null;
  if (name !== null && !/^[\x21-\x7e]+$/.test(name)) return reply("unreachable", NO_HEADER);
  const named = name === null ? {} : { "mcp-name": name };
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": method, ...named };
  const facts = { protocolVersion: MODERN, clientCapabilities: {}, clientInfo: CLIENT };
  const _meta = Object.entries(facts).map(([fact, value]) => [`io.modelcontextprotocol/${fact}`, value]);
  const message = { id: server.next_id++, method, params: { ...params, _meta: Object.fromEntries(_meta) } };
  return exchange(server, { kind, headers }, message, bounds);
}

/** One request and its answer; a message without an id is not answered. Never rejects, and hangs up when it is over. */
async function exchange(server: Server, { kind, headers }: Dialect, message: Fields, bounds: Bounds): Promise<Reply> {
  const over = new AbortController();
  const hear = async () => {
    const response = await send(server, "POST", headers, JSON.stringify(rpc(message)), over.signal);
    const session = response.headers["mcp-session-id"];
    if (kind === "session" && typeof session === "string") headers["mcp-session-id"] = session;
    // A server may ask something itself before it answers, and wait for that.
    const answer = (own: Fields) => void exchange(server, { kind, headers }, answerTo(own), bounds);
    return heard(response, message["id"], kind === "session" ? answer : null);
  };
  const first = await within(hear().catch(faultOf), bounds);
  over.abort();
  if (first.is === "done") return first.value;
  return first.is === "stopped" ? reply("stopped", STOPPED) : timedOut(bounds.limit_ms);
}

/** What answers a request of the server bears its id, and is not answered itself. */
const rpc = ({ answers, ...message }: Fields): Fields => ({
  jsonrpc: "2.0",
  ...message,
  ...(answers !== undefined && { id: answers }),
});

const answerTo = ({ id, method }: Fields): Fields =>
  method === "ping"
    ? { answers: id, result: {} }
    : { answers: id, error: { code: -32_601, message: "Method not found" } };

/** On a connection of its own: one that is used again may have been closed, and nobody could tell whether a call got through. */
function send({ url, authorization }: Server, method: string, more: Texts, body: string, signal: AbortSignal) {
  const plain = { "content-type": "application/json", "accept-encoding": "identity", connection: "close" };
  const accept = { ...plain, accept: "application/json, text/event-stream" };
  const headers = { ...accept, "content-length": Buffer.byteLength(body), ...authorization, ...more };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const start = url.startsWith("https:") ? httpsRequest : httpRequest;
    start(url, { method, headers, signal, agent: false }, resolve).on("error", reject).end(body);
  });
}

export async function sayGoodbye(server: Server): Promise<void> {
  const { headers, kind } = server.dialect ?? { kind: "bare" };
  if (headers?.["mcp-session-id"] === undefined || kind !== "session") return;
  // The server may be gone, or not care: either way the session is over for us.
  const goodbye = send(server, "DELETE", headers, "", AbortSignal.timeout(1_000)).catch(() => null);
  (await goodbye)?.destroy();
}

/** Whether a refusal says that the server does not know our session any more: then it has run nothing. */
function isForgotten({ code, message: body }: Reply): boolean {
  if (code !== 404 && code !== 400) return false;
  const isOfSessions = (text: unknown) => typeof text === "string" && /session|not initialized/i.test(text);
  const error = rpcErrorIn(body);
  if (error !== null) return !error.has_id && (code === 404 || isOfSessions(error.message));
  const said = parsed(body);
  if (said !== undefined) return isRecord(said) && isOfSessions(said["error"]);
  return code === 404 || (body.length < 200 && isOfSessions(body));
}
