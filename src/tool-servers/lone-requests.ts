// Requests that stand alone, for servers without a handshake: bare JSON-RPC, which is all that the specification asks of a
// server (section 4), and the form of the protocol's revision 2026-07-28.
import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { networkFault } from "./network-fault.ts";
import { type Bounds, type Dialect, HEAD, type Method, type Reply, UNSUPPORTED_REVISION } from "./reply.ts";

const MODERN = "2026-07-28";
const ID = 1;

export type Era = "bare" | "modern";

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

export function createLoneRequests(endpoint: Endpoint, era: Era): Dialect {
  return {
    in_session: false,
    request: async (method, params, bounds) => {
      const over = AbortSignal.timeout(bounds.limit_ms);
      try {
        const init = era === "bare" ? bareRequest(method, params) : modernRequest(endpoint, method, params);
        const signal = AbortSignal.any([bounds.signal, over]);
        const headers = { ...BOTH_KINDS, ...endpoint.authorization, ...init.headers };
        const response = await endpoint.fetch(endpoint.url, { method: "POST", headers, body: init.body, signal });
        return await readReply(response);
      } catch (error) {
        return faultOf(error, bounds, over);
      }
    },
    close: async () => {},
  };
}

const BOTH_KINDS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

type Params = Readonly<Record<string, unknown>>;

const bareRequest = (method: Method, params: Params) => ({
  headers: {},
  body: JSON.stringify({ jsonrpc: "2.0", id: ID, method, params }),
});

function modernRequest({ client }: Endpoint, method: Method, params: Params) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": client,
  };
  const { name } = params;
  const named = typeof name === "string" ? { "mcp-name": name } : {};
  return {
    headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...named },
    body: JSON.stringify({ jsonrpc: "2.0", id: ID, method, params: { ...params, _meta } }),
  };
}

async function readReply(response: Response): Promise<Reply> {
  const media_type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (!response.ok) return refusal(response.status, await response.text());
  if (media_type === "application/json") return replyOf([JSON.parse(await response.text())]);
  if (media_type === "text/event-stream") return replyOf(await readEvents(response));
  await response.body?.cancel();
  return { is: "foreign", message: `it answers with ${media_type || "no content type"}, which is not the protocol` };
}

/** A server of the newer revision alone says so with a status and an error beside it. */
function refusal(status: number, body: string): Reply {
  const reply = body.startsWith("{") ? replyOf([parsed(body)]) : null;
  const isOtherRevision = reply?.is === "rpc_error" && reply.code === UNSUPPORTED_REVISION;
  return isOtherRevision ? reply : { is: "http_error", status, body: body.slice(0, HEAD) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // It was a page that only begins like JSON.
  }
}

async function readEvents({ body }: Response): Promise<unknown[]> {
  const messages: unknown[] = [];
  if (body === null) return messages;
  for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()))
    if (data !== "") messages.push(JSON.parse(data));
  return messages;
}

function replyOf(messages: readonly unknown[]): Reply {
  for (const message of messages) {
    const { success, data } = Message.safeParse(message);
    if (!success) continue;
    if (data.error !== undefined) return { is: "rpc_error", code: data.error.code, message: data.error.message };
    if (data.result !== undefined && data.id === ID) return { is: "result", result: data.result };
  }
  return { is: "lost", message: "what it answered is no answer to the call" };
}

function faultOf(error: unknown, { signal, limit_ms }: Bounds, over: AbortSignal): Reply {
  if (signal.aborted) return { is: "stopped" };
  if (over.aborted) return { is: "timed_out", message: `there was no answer within ${limit_ms / 1000} s` };
  if (error instanceof TypeError) return networkFault(error);
  return { is: "lost", message: error instanceof Error ? error.message : String(error) };
}
