// Recognises servers with a transport or a way to log in that orch does not have, with the words that say what to do.
import type { IncomingHttpHeaders } from "node:http";
import { readEvents } from "../http-client/event-stream.ts";
import { HttpFaultError } from "../http-client/fault.ts";
import { openRequest } from "../http-client/request.ts";
import { type ToolServerEndpoint, variableOf } from "./endpoint.ts";
import { isSuccess, mediaType } from "./post.ts";
import type { ToolServerReply } from "./reply.ts";

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

/** Its address takes no POST, and gives a stream whose first event names another address [MCP, Backwards Compatibility]. */
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
