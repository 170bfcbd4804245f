// Describes the outcome of one request to a tool server, in whichever dialect it was sent, and reads its JSON-RPC messages
// without a schema.
import { doubledField, isRecord, type JsonFields, parseJson, parseStrictJson } from "../domain/json-values.ts";

export type ToolServerReply =
  | { readonly is: "result"; readonly result: unknown }
  /** The server understood the request and refuses it. */
  | { readonly is: "rpc_error"; readonly code: number; readonly message: string }
  | {
      readonly is: "http_error";
      readonly status: number;
      readonly body: string;
      /** The server does not know the session of the request, so it called no tool. */
      readonly is_session_gone?: boolean;
    }
  /** What answers does not speak the protocol. */
  | { readonly is: "foreign"; readonly message: string }
  /** A server that knows only the newer revision refuses the form of the request. */
  | { readonly is: "newer_revision"; readonly message: string }
  /** The request did not get to the server. */
  | { readonly is: "unreachable"; readonly message: string; readonly fix?: string }
  /** The tool has answered, and the answer is over the limit. */
  | { readonly is: "too_large"; readonly message: string }
  /** The request was sent, and there is no response to it. `is_garbled`: there is one, and it cannot be read. */
  | { readonly is: "lost"; readonly message: string; readonly is_garbled?: boolean }
  | { readonly is: "timed_out"; readonly message: string }
  | { readonly is: "stopped"; readonly message: string };

export type CallLimits = { readonly limit_ms: number; readonly signal: AbortSignal };

/** Of a whole request: the handshake, a refused attempt, and the response. */
export type Deadline = { readonly until: number; readonly signal: AbortSignal };

export const left = ({ until, signal }: Deadline): CallLimits => ({
  signal,
  limit_ms: Math.max(1, Math.round(until - performance.now())),
});

export type ToolMethod = "tools/call" | "tools/list";

/** One way to talk to a server: in a session, or with stateless requests. `request` never rejects. */
export type Dialect = {
  readonly kind: "session" | "bare" | "modern";
  request(method: ToolMethod, params: JsonFields, deadline: Deadline): Promise<ToolServerReply>;
  /** A session waits for the requests that are under way. */
  close(): Promise<void>;
};

/** As much of a refusal as is worth showing, in characters. */
const HEAD = 2_000;
export const httpErrorText = ({ status, body }: Extract<ToolServerReply, { is: "http_error" }>): string =>
  `HTTP ${status} ${body.slice(0, HEAD)}`.trimEnd();

const STOPPED = "orch: stopped on request";
export const stopped = (): ToolServerReply => ({ is: "stopped", message: STOPPED });
export const stoppedBefore = (): ToolServerReply => ({
  is: "unreachable",
  message: `${STOPPED}, before anything was called`,
});

export const timedOut = (limit_ms: number): ToolServerReply => ({
  is: "timed_out",
  message: `there was no answer within ${limit_ms / 1000} s`,
});

type RpcError = { readonly code: number; readonly message: string };

const isRpcError = (error: unknown): error is RpcError =>
  isRecord(error) && typeof error["code"] === "number" && typeof error["message"] === "string";

/** Whether it is a message as the protocol has it, with nothing missing and nothing added. */
function isRpcMessage(message: unknown): boolean {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || message["id"] === null) return false;
  const { method, id, result, error, jsonrpc: _, params, ...more } = message;
  if (Object.keys(more).length > 0) return false;
  return typeof method === "string" || isRpcError(error) || (isRecord(result) && id !== undefined);
}

/** An answer with a field that is there twice says two things: neither counts. Null for every other answer. */
export function doubledAnswer(text: string): ToolServerReply | null {
  const path = parseJson(text) === undefined ? null : doubledField(text);
  return path === null
    ? null
    : { is: "lost", message: `its answer has the field ${JSON.stringify(path.slice(0, 200))} twice` };
}

const TWO_ANSWERS: ToolServerReply = { is: "lost", message: "it gave two answers to the call" };

const GARBLED: ToolServerReply = { is: "lost", message: "what it answered is not JSON-RPC", is_garbled: true };

/**
 * The response to `id` among the messages of an answer; null when it is not among them. Where an answer has to keep the protocol, a
 * message that does not makes it unreadable.
 */
export function responseTo(id: number, answer: unknown, keeps_protocol: boolean): ToolServerReply | null {
  const replies: ToolServerReply[] = [];
  for (const message of Array.isArray(answer) ? answer : [answer]) {
    if (keeps_protocol && !isRpcMessage(message)) return GARBLED;
    if (!isRecord(message)) continue;
    const { id: answered, error, result } = message;
    const isOwn = isOwnId(answered, id);
    // A server that cannot read the id of a request refuses it with none.
    const isRefused = isOwn || (!keeps_protocol && (answered === null || answered === undefined));
    if (isRpcError(error) && isRefused) replies.push({ is: "rpc_error", code: error.code, message: error.message });
    if (isOwn && result !== undefined) replies.push({ is: "result", result });
  }
  return replies.length > 1 ? TWO_ANSWERS : (replies[0] ?? null);
}

/** Some servers give the number of the request back as text. Any other id is not that of the request. */
const isOwnId = (answered: unknown, id: number): boolean => answered === id || answered === String(id);

/** Whether a text that is cut off begins as a response does: no message but a response has a result. */
export const beginsAsResponse = (cut: string): boolean =>
  /^\s*\{\s*(?:"(?:jsonrpc|id)"\s*:\s*(?:"[^"]{0,64}"|\d{1,16})\s*,\s*){0,2}"result"\s*:/.test(cut);

/** The JSON-RPC error that a refusal over HTTP may carry, and whether it answers the request with that id. */
export function rpcErrorIn(body: string, id: unknown): (RpcError & { readonly is_own: boolean }) | null {
  const value = parseStrictJson(body);
  if (!isRecord(value) || typeof value["jsonrpc"] !== "string" || !isRpcError(value["error"])) return null;
  const { code, message } = value["error"];
  return { code, message, is_own: typeof id === "number" && isOwnId(value["id"], id) };
}

/** Codes of a server that knows only the newer revision: it does not support ours, or misses the headers of its own. */
export const OF_NEWER_REVISION: readonly number[] = [-32_022, -32_020];

type Within<T> = { readonly is: "done"; readonly value: T } | { readonly is: "timed_out" } | { readonly is: "stopped" };

/**
 * Waits for work within the limits of one caller. The work itself goes on: other callers may wait for it too. What comes first:
 * the end of the work, the time limit, or the signal. Rejects when the work does.
 */
export function within<T>(work: Promise<T>, { limit_ms, signal }: CallLimits): Promise<Within<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Within<T>>();
  const timer = setTimeout(resolve, limit_ms, { is: "timed_out" });
  const stop = () => resolve({ is: "stopped" });
  signal.addEventListener("abort", stop);
  work.then((value) => resolve({ is: "done", value }), reject);
  if (signal.aborted) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
