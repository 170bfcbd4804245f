// A session with a tool server by the handshake of the protocol. The only file of the client that knows the SDK, so that
// another version of it can take its place (spec section 4, Outbound: tool server call).
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { McpError, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { exchanges } from "./bounded-fetch.ts";
import type { Endpoint } from "./endpoint.ts";
import { networkFault } from "./network-fault.ts";
import { type Bounds, type Dialect, HEAD, type Reply } from "./reply.ts";

const HANDSHAKE_MS = 10_000;
const GOODBYE_MS = 1_000;
/** The SDK's own code for a client that was closed under a request. */
const CLOSED = -32_000;

type Link = { readonly client: Client; readonly transport: StreamableHTTPClientTransport };

/** No tool has been called when the handshake fails. */
export async function openSession(
  endpoint: Endpoint,
  { limit_ms, signal }: Bounds,
): Promise<{ readonly session: Dialect } | { readonly fault: Reply }> {
  const client = new Client(endpoint.client);
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: endpoint.authorization },
    fetch: endpoint.fetch,
  });
  const link = { client, transport };
  // What cannot be resumed any more is lost; the SDK says so here and nowhere else.
  client.onerror = ({ message }) => {
    if (message.startsWith("Maximum reconnection attempts")) void client.close();
  };
  const bounds = { limit_ms: Math.min(limit_ms, HANDSHAKE_MS), signal };
  // The transport is what the SDK says it is; its types do not hold under exactOptionalPropertyTypes.
  const outcome = await exchange(link, bounds, (options) => client.connect(transport as Transport, options));
  if ("value" in outcome) return { session: sessionOf(link) };
  await client.close();
  return { fault: beforeAnyCall(outcome) };
}

function beforeAnyCall({ fault, error }: { readonly fault: Reply; readonly error: unknown }): Reply {
  if (fault.is !== "lost" && fault.is !== "timed_out") return fault;
  // What it said could be read and was no handshake.
  const isForeign = fault.is === "lost" && !(error instanceof TypeError || error instanceof McpError);
  return isForeign
    ? { is: "foreign", message: fault.message }
    : { is: "unreachable", message: `no handshake: ${fault.message}` };
}

function sessionOf(link: Link): Dialect {
  const underWay = new Set<Promise<unknown>>();
  return {
    in_session: link.transport.sessionId !== undefined,
    request: async (method, params, bounds) => {
      // Not callTool: that one checks the form of the result, and throws a tool's success away.
      const sending = exchange(link, bounds, (options) =>
        link.client.request({ method, params }, ResultSchema, options),
      );
      underWay.add(sending);
      const outcome = await sending;
      underWay.delete(sending);
      return "value" in outcome ? { is: "result", result: outcome.value } : outcome.fault;
    },
    close: async () => {
      await Promise.allSettled(underWay);
      await sayGoodbye(link);
    },
  };
}

/** Sends what `send` sends. Its time limit is ours: that of the SDK could not be told from an answer with its code. */
async function exchange<T>(
  { transport }: Link,
  { limit_ms, signal }: Bounds,
  send: (options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<T>,
): Promise<{ readonly value: T } | { readonly fault: Reply; readonly error: unknown }> {
  const over = AbortSignal.timeout(limit_ms);
  const done = new AbortController();
  let lost: string | null = null;
  const onLost = (id: string | number, why: string) => {
    lost ??= why;
    transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: 0, message: why } });
  };
  try {
    const options = { signal: AbortSignal.any([signal, over]), timeout: limit_ms + 60_000 };
    return { value: await exchanges.run({ signal: done.signal, onLost }, () => send(options)) };
  } catch (error) {
    done.abort();
    if (signal.aborted) return { fault: { is: "stopped" }, error };
    if (over.aborted) return { fault: timedOut(limit_ms), error };
    return { fault: lost === null ? faultOf(error) : { is: "lost", message: lost }, error };
  }
}

const timedOut = (limit_ms: number): Reply => ({
  is: "timed_out",
  message: `there was no answer within ${limit_ms / 1000} s`,
});

function faultOf(error: unknown): Reply {
  if (error instanceof StreamableHTTPError) {
    const { code = -1, message } = error;
    if (code < 400) return { is: "foreign", message };
    return {
      is: "http_error",
      status: code,
      body: message.replace(/^(Streamable HTTP error: )?(Error POSTing to endpoint: )?/, "").slice(0, HEAD),
    };
  }
  if (error instanceof McpError) {
    const message = error.message.replace(/^MCP error -?\d+: /, "");
    return error.code === CLOSED ? { is: "lost", message } : { is: "rpc_error", code: error.code, message };
  }
  if (error instanceof TypeError) return networkFault(error);
  return { is: "lost", message: error instanceof Error ? error.message : String(error) };
}

async function sayGoodbye({ client, transport }: Link): Promise<void> {
  // The server may be gone, or not care: either way the session is over for us.
  const goodbye = transport.terminateSession().catch(() => undefined);
  await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
  await client.close();
}
