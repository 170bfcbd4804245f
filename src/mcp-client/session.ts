// A session with a tool server by the handshake of the protocol (spec section 4, Outbound: tool server call). The only file
// of the client that imports the SDK; how that reads and resumes streams, bounded-fetch.ts and watch-answer.ts know too.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { McpError, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Endpoint } from "./endpoint.ts";
import { type Exchange, exchanges } from "./exchange.ts";
import { networkFault } from "./network-fault.ts";
import { type Bounds, type Dialect, HEAD, type Reply, unheard } from "./reply.ts";
import { within } from "./within.ts";

const LAST_WORDS_MS = 50;
const GOODBYE_MS = 1_000;
const HANG_UP_MS = 100;
/** The SDK's own words for a client that was closed under a request; its code is one that servers use. */
const CLOSED = "Connection closed";

type Link = { readonly client: Client; readonly transport: StreamableHTTPClientTransport };

/** No tool has been called when the handshake fails. */
export async function openSession(
  endpoint: Endpoint,
  bounds: Bounds,
): Promise<{ readonly session: Dialect } | { readonly fault: Reply }> {
  const client = new Client(endpoint.client);
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: endpoint.authorization },
    fetch: endpoint.fetch,
  });
  // The transport is what the SDK says it is; its types do not hold under exactOptionalPropertyTypes. A handshake must not
  // be cancelled on the wire, so the client is closed before the SDK hears of it.
  const connect = (signal: AbortSignal) =>
    client.connect(transport as Transport, { signal, timeout: afterOurs(bounds) });
  const outcome = await exchange(bounds, connect, {
    // Behind its answer comes only a notification, which has none.
    isAnswered: () => client.getServerVersion() !== undefined,
    giveUp: (abort) => void client.close().then(abort),
  });
  if ("value" in outcome) return { session: sessionOf({ client, transport }) };
  await client.close();
  const { fault, isGarbled } = outcome;
  return { fault: isGarbled && fault.is === "lost" ? { is: "foreign", message: fault.message } : fault };
}

function sessionOf(link: Link): Dialect {
  const underWay = new Set<Promise<unknown>>();
  return {
    kind: "session",
    request: async (method, params, bounds) => {
      // Not callTool: that one checks the form of the result, and throws a tool's success away.
      const send = (signal: AbortSignal) =>
        link.client.request({ method, params }, ResultSchema, { signal, timeout: afterOurs(bounds) });
      const sending = exchange(bounds, send);
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

/** The time limit is ours: that of the SDK could not be told from an answer with its code. */
const afterOurs = ({ limit_ms }: Bounds): number => limit_ms + 60_000;

/** `isGarbled`: something was said that could not be read. */
type Outcome<T> = { readonly value: T } | { readonly fault: Reply; readonly isGarbled: boolean };

type Lost = Extract<Reply, { is: "lost" }>;
type Heard<T> = { readonly is: "value"; readonly value: T };

type Manners = {
  /** What is sent has had its answer, and more is to be sent. */
  readonly isAnswered: () => boolean;
  /** What is done about a request without an answer. */
  readonly giveUp: (abort: () => void) => void;
};

const MANNERS: Manners = { isAnswered: () => false, giveUp: (abort) => abort() };

async function exchange<T>(
  bounds: Bounds,
  send: (signal: AbortSignal) => Promise<T>,
  { isAnswered, giveUp } = MANNERS,
): Promise<Outcome<T>> {
  // Only for a request without an answer: the SDK tells the server that whatever it aborts is not wanted any more.
  const unanswered = new AbortController();
  const over = new AbortController();
  const lost = Promise.withResolvers<Lost>();
  let isOpen = true;
  const context: Exchange = {
    signal: over.signal,
    isOpen: () => isOpen,
    onLost: (message) => isAnswered() || lost.resolve({ is: "lost", message }),
    resumed: 0,
    resumed_at: 0,
    failed: 0,
  };
  const sent = exchanges.run(context, () => send(unanswered.signal));
  const ending = Promise.race([sent.then((value): Heard<T> => ({ is: "value", value })), lost.promise]);
  try {
    const end = await within(ending, bounds);
    const heard = end.is === "done" ? end.value : unheard(end.is, bounds);
    if (heard.is === "value") return heard;
    // What the SDK makes of it is not heard any more.
    sent.catch(() => undefined);
    giveUp(() => unanswered.abort());
    over.abort();
    return { fault: heard, isGarbled: false };
  } catch (error) {
    return { fault: faultOf(error), isGarbled: !(error instanceof TypeError || error instanceof McpError) };
  } finally {
    isOpen = false;
    // A server that leaves its stream open behind the answer would keep a connection for as long as the session lasts.
    setTimeout(() => over.abort(), HANG_UP_MS).unref();
  }
}

function faultOf(error: unknown): Reply {
  if (error instanceof StreamableHTTPError) {
    const { code = -1, message } = error;
    if (code < 400) return { is: "foreign", message: message.replace(SDK_PREFIX, "") };
    return {
      is: "http_error",
      status: code,
      body: message
        .replace(SDK_PREFIX, "")
        .replace(/^null$/, "")
        .slice(0, HEAD),
    };
  }
  if (error instanceof McpError) {
    const message = error.message.replace(/^MCP error -?\d+: /, "");
    return message === CLOSED ? { is: "lost", message } : { is: "rpc_error", code: error.code, message };
  }
  if (error instanceof TypeError) return networkFault(error);
  // A body that could not be read says why; what was read and is no message, only zod and the parser of JSON would tell.
  const isRead = error instanceof SyntaxError || !(error instanceof Error) || error.name.includes("Zod");
  return { is: "lost", message: isRead ? "what it answered is not JSON-RPC" : error.message };
}

const SDK_PREFIX = /^(Streamable HTTP error: )?(Error POSTing to endpoint: )?/;

async function sayGoodbye({ client, transport }: Link): Promise<void> {
  // What was taken back a moment ago is still on its way, and closing would cut it off.
  await sleep(LAST_WORDS_MS);
  // The server may be gone, or not care: either way the session is over for us.
  const goodbye = transport.terminateSession().catch(() => undefined);
  await Promise.race([goodbye, sleep(GOODBYE_MS, undefined, { ref: false })]);
  await client.close();
}
