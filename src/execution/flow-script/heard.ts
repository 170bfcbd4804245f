// Reads what a tool server answers over HTTP: JSON or a stream of events, in a session or alone, bounded in size.
import type { IncomingMessage } from "node:http";
import { type Fields, isList, isRecord, parsed } from "./json-values.ts";
import { eventsOf, textOf } from "./read-body.ts";
import { type Reply, reply } from "./reply.ts";

export const OF_NEWER_REVISION = [-32_022, -32_020];
const ENDED = "the connection ended before the answer came";
export const NOT_RPC = "what it answered is not JSON-RPC";

/** What a server asks before it answers. */
type Answer = (own: Fields) => void;

/**
 * In a session, where the server's own requests are answered, as strict as the client of orch; a request that stands alone
 * takes what servers give that know little.
 */
export async function heard(response: IncomingMessage, id: unknown, answer: Answer | null): Promise<Reply> {
  const isStrict = answer !== null;
  const status = response.statusCode ?? 0;
  if ([301, 302, 303, 307, 308].includes(status))
    return reply("foreign", "the server answers with a redirect, which is not followed: it would carry the token away");
  if (status < 200 || status > 299) return refused(response, status, isStrict);
  if (id === undefined) return reply("result", "");
  if (isStrict && status === 202) return reply("lost", "the server has accepted the call and does not answer it");
  const type = response.headers["content-type"];
  const media = (type ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (media === "text/event-stream") return heardInEvents(response, id, answer);
  if (isStrict && media !== "application/json") return reply("foreign", `Unexpected content type: ${type ?? null}`);
  const said = parsed(await textOf(response));
  if (said !== undefined || isStrict) return answerIn(said, id, isStrict) ?? unanswered(isStrict);
  const what = media === "" ? "without a content type" : media;
  if (media === "text/html") return reply("foreign", `it answers with ${what}, which is not the protocol`);
  return reply("lost", `it answers with ${what}, and that is not JSON`);
}

const unanswered = (isStrict: boolean): Reply =>
  reply("lost", isStrict ? ENDED : "what it answered is no answer to the call");

/** As much of what it says as is worth showing. */
async function refused(response: IncomingMessage, status: number, isStrict: boolean): Promise<Reply> {
  const text = await textOf(response).catch((error) => {
    if (isStrict) return "";
    throw error;
  });
  const body = text.slice(0, 2_000);
  if (isStrict) return status < 400 ? reply("foreign", body) : reply("http_error", body, status);
  const error = rpcErrorIn(text);
  if (error !== null && OF_NEWER_REVISION.includes(error.code)) return reply("newer_revision", error.message);
  return error?.has_id === true ? reply("rpc_error", error.message, error.code) : reply("http_error", body, status);
}

async function heardInEvents(response: IncomingMessage, id: unknown, answer: Answer | null): Promise<Reply> {
  const isStrict = answer !== null;
  try {
    for await (const data of eventsOf(response)) {
      const said = parsed(data);
      if (isRecord(said) && typeof said["method"] === "string" && said["id"] !== undefined) answer?.(said);
      const found = answerIn(said, id, isStrict);
      if (found !== null && found.is !== "garbled") return found;
    }
  } catch (error) {
    if (!isStrict) throw error;
    const why = error instanceof RangeError ? error.message : "terminated";
    return reply("lost", `the connection was lost before the answer came: ${why}`);
  }
  return unanswered(isStrict);
}

/** One message, or a batch of them. */
function answerIn(said: unknown, id: unknown, isStrict: boolean): Reply | null {
  for (const message of isList(said) ? said : [said]) {
    if (isStrict && !isRpc(message)) return reply("garbled", NOT_RPC);
    if (!isRecord(message)) continue;
    const { error, result } = message;
    const isOurs = isStrict
      ? isId(message["id"]) && Number(message["id"]) === id
      : String(message["id"]) === String(id);
    if (isRpcError(error) && (isOurs || !isStrict)) return reply("rpc_error", error.message, error.code);
    // In a session what is about the answer comes first, as orch's client has it.
    const ordered = isStrict && isRecord(result) && "_meta" in result ? { _meta: result["_meta"], ...result } : result;
    if (isOurs && result !== undefined) return { ...reply("result", ""), result: ordered };
  }
  return null;
}

const isId = (id: unknown): boolean => typeof id === "number" || typeof id === "string";

type RpcError = { readonly code: number; readonly message: string };
const isRpcError = (error: unknown): error is RpcError =>
  isRecord(error) && typeof error["code"] === "number" && typeof error["message"] === "string";

function isRpc(message: unknown): boolean {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || message["id"] === null) return false;
  const { method, id, result, error, jsonrpc: _, params, ...more } = message;
  if (Object.keys(more).length > 0) return false;
  return typeof method === "string" || isRpcError(error) || (isRecord(result) && id !== undefined);
}

/** The JSON-RPC error that a refusal over HTTP may carry, and whether it answers a request. */
export function rpcErrorIn(body: string): (RpcError & { readonly has_id: boolean }) | null {
  const said = parsed(body);
  if (!isRecord(said) || typeof said["jsonrpc"] !== "string" || !isRpcError(said["error"])) return null;
  const { code, message } = said["error"];
  return { code, message, has_id: said["id"] !== undefined && said["id"] !== null };
}

/** Why there is no answer, in the words of orch's own client. Before the first byte has left, nothing was called. */
export function faultOf(error: unknown): Reply {
  const { code = "", syscall = "", message } = error as NodeJS.ErrnoException;
  if (error instanceof RangeError) return reply("garbled", message);
  if (code === "ECONNRESET" && syscall === "") return reply("lost", "UND_ERR_SOCKET other side closed");
  const isBefore = /^(ERR_TLS_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/.test(code);
  const is = isBefore || ["connect", "getaddrinfo"].includes(syscall) ? "unreachable" : "lost";
  return reply(is, message.includes(code) ? message : `${code} ${message}`);
}
