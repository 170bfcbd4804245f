// Stateless requests, for servers without a handshake: bare JSON-RPC [4.mcp.request], and the form of the protocol's
// revision 2026-07-28.
import { isRecord, parseJson } from "../domain/json-values.ts";
import { readEvents } from "../http-client/event-stream.ts";
import { HttpFaultError } from "../http-client/fault.ts";
import { type OpenResponse, textOf } from "../http-client/request.ts";
import type { ToolServerEndpoint } from "./endpoint.ts";
import { isSuccess, mediaType, post } from "./post.ts";
import type { Dialect, ToolMethod, ToolServerReply } from "./reply.ts";
import { beginsAsResponse, doubledAnswer, OF_NEWER_REVISION, rpcErrorIn, statelessResponse } from "./rpc-message.ts";

const MODERN = "2026-07-28";
const ID = 1;

type Params = Readonly<Record<string, unknown>>;
type Request = { readonly headers: Readonly<Record<string, string>>; readonly params: Params };

export const createStatelessRequests = (endpoint: ToolServerEndpoint, kind: "bare" | "modern"): Dialect => ({
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
function modernRequest({ client }: ToolServerEndpoint, method: ToolMethod, params: Params): Request | null {
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
