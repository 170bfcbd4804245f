// Sends one POST to a tool server, with its address and credentials. A fault becomes a reply, also where a server has a transport
// or a login that orch does not have; an answer is left to be read.
import type { IncomingHttpHeaders } from "node:http";
import type { JsonTexts } from "../domain/json-values.ts";
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
} from "../http-client/request.ts";
import { type CallLimits, stopped, stoppedBefore, type ToolServerReply, timedOut } from "./reply.ts";

export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type PostedMessage = {
  readonly endpoint: ToolServerEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Readonly<Record<string, unknown>>;
};

type Read = (response: OpenResponse) => Promise<ToolServerReply>;

/** Never rejects. Hangs up once the answer has been read. */
export async function post(posted: PostedMessage, limits: CallLimits, read: Read): Promise<ToolServerReply> {
  const { endpoint, headers, message } = posted;
  const response = await openRequest({
    method: "POST",
    url: endpoint.url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...endpoint.authorization,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    max_bytes: MAX_ANSWER_BYTES,
    verify: endpoint.verify,
    ...limits,
  });
  if (!response.ok) return replyOfFault(response.fault, limits);
  try {
    if (isRedirect(response.status)) return { is: "foreign", message: REDIRECTED };
    return await read(response);
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

export function replyOfFault({ code, message, sent }: HttpFault, { limit_ms }: CallLimits): ToolServerReply {
  if (code === "aborted") return sent ? stopped() : stoppedBefore();
  if (!sent) return { is: "unreachable", message };
  if (code === "timed_out") return timedOut(limit_ms);
  return code === "too_large" ? { is: "lost", message, is_garbled: true } : { is: "lost", message };
}

/** In lower case, without parameters; empty where there is none. */
export const mediaType = ({ headers }: OpenResponse): string =>
  (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

export const isSuccess = ({ status }: OpenResponse): boolean => status >= 200 && status <= 299;

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

const variableOf = ({ name }: Pick<ToolServerEndpoint, "name">, of: "URL" | "TOKEN"): string =>
  `MCP_${name.toUpperCase()}_${of}`;

/** A server that wants OAuth names where its authorization server is described [MCP, Authorization Server Discovery]. */
export const wantsOAuth = (headers: IncomingHttpHeaders): boolean =>
  /\bresource_metadata\s*=/i.test(headers["www-authenticate"] ?? "");

export const oauthWanted = (endpoint: ToolServerEndpoint): ToolServerReply => ({
  is: "unreachable",
  message: "HTTP 401: it wants OAuth, which orch does not do",
  fix: `Give a token of its authorization server in ${variableOf(endpoint, "TOKEN")}, or a new one where it has expired.`,
});

const LOOK_MS = 2_000;
const LOOK_BYTES = 64 * 1024;

/**
 * Recognises servers with a transport or a way to log in that orch does not have, with the words that say what to do. Its address
 * takes no POST, and gives a stream whose first event names another address [MCP, Backwards Compatibility].
 */
export async function speaksOlderTransport(
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
    if (!isSuccess(response) || mediaType(response) !== "text/event-stream") return false;
    for await (const { event } of readEvents(response.body, {})) return event === "endpoint";
    return false;
  } catch (error) {
    if (!(error instanceof HttpFaultError)) throw error;
    return false;
  } finally {
    response.close();
  }
}

export const olderTransport = (endpoint: ToolServerEndpoint): ToolServerReply => ({
  is: "unreachable",
  message: "it speaks the older SSE transport, which orch does not",
  fix: `Set ${variableOf(endpoint, "URL")} to its address for streamable HTTP, or put a proxy before it.`,
});
