// Requests that stand alone, for servers without a handshake: bare JSON-RPC, which is all that the specification asks of a
// server (section 4), and the form of the protocol's revision 2026-07-28.
import type { Endpoint } from "./endpoint.ts";
import { networkFault } from "./network-fault.ts";
import { readLoneAnswer } from "./read-lone-answer.ts";
import { type Dialect, type Method, type Reply, unheard } from "./reply.ts";
import { within } from "./within.ts";

const MODERN = "2026-07-28";
const ID = 1;

export function createLoneRequests(endpoint: Endpoint, kind: "bare" | "modern"): Dialect {
  const send = async (method: Method, params: Params, signal: AbortSignal): Promise<Reply> => {
    const init = kind === "bare" ? bareRequest(method, params) : modernRequest(endpoint, method, params);
    if (init === null)
      return {
        is: "unreachable",
        message: "its revision of the protocol wants the name of a tool in a header, where this one cannot stand",
      };
    const headers = { ...BOTH_KINDS, ...endpoint.authorization, ...init.headers };
    try {
      const response = await endpoint.fetch(endpoint.url, { method: "POST", headers, body: init.body, signal });
      return await readLoneAnswer(response, ID);
    } catch (error) {
      if (error instanceof TypeError) return networkFault(error);
      return { is: "lost", message: error instanceof Error ? error.message : String(error) };
    }
  };

  return {
    kind,
    request: async (method, params, bounds) => {
      const over = new AbortController();
      const end = await within(send(method, params, over.signal), bounds);
      // Whatever of an answer has not been read is not read any more.
      over.abort();
      return end.is === "done" ? end.value : unheard(end.is, bounds);
    },
    close: async () => {},
  };
}

const BOTH_KINDS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

type Params = Readonly<Record<string, unknown>>;
type Init = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

const bareRequest = (method: Method, params: Params): Init => ({
  headers: {},
  body: JSON.stringify({ jsonrpc: "2.0", id: ID, method, params }),
});

/** Null when the name cannot stand in a header, where this revision wants it. */
function modernRequest({ client }: Endpoint, method: Method, params: Params): Init | null {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": client,
  };
  const { name } = params;
  if (typeof name === "string" && !/^[\x21-\x7e]+$/.test(name)) return null;
  const named = typeof name === "string" ? { "mcp-name": name } : {};
  return {
    headers: { "mcp-protocol-version": MODERN, "mcp-method": method, ...named },
    body: JSON.stringify({ jsonrpc: "2.0", id: ID, method, params: { ...params, _meta } }),
  };
}
