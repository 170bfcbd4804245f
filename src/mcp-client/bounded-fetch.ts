// The one way out to tool servers: no redirect is followed, an answer has a bounded size, and whoever waits for an answer
// is told when it cannot come any more (the SDK would wait for its time limit).
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, fetch as undiciFetch } from "undici";
import { type Exchange, exchanges } from "./exchange.ts";
import { watchAnswer } from "./watch-answer.ts";

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A server may ask for its stream to be taken up again at once and end it at once, without end: each time is later. */
const RESUME_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** The SDK tries as often. */
const RESUME_TRIES = 2;
/** To one server. Whatever is more waits within its time limit. */
const MAX_CONNECTIONS = 128;

/** No time limits of its own: those of 5 minutes would end a call that may take longer. */
export const createAgent = (): Agent =>
  new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 10_000, connections: MAX_CONNECTIONS });

export function createBoundedFetch(dispatcher: Agent): Fetch {
  const send = async (url: string | URL, init: RequestInit, exchange: Exchange | undefined): Promise<Response> => {
    const signals = [init.signal, exchange?.signal].filter((signal) => signal != null);
    const options = { ...init, redirect: "error", dispatcher, signal: AbortSignal.any(signals) };
    // The types of undici and of Node's own copy of it differ in name only.
    return (await undiciFetch(url, options as object)) as unknown as Response;
  };

  return async (url, init = {}) => {
    const exchange = exchanges.getStore();
    if (init.method === "GET") return listen(init, exchange, () => send(url, init, exchange));
    const response = await send(url, init, exchange);
    return watchAnswer(response, exchange !== undefined && wantsAnswer(init.body) ? exchange : null);
  };
}

/**
 * A stream that is opened with GET is there to take up an answer that was cut off. None is opened for what a server may
 * send unasked: nobody would listen.
 */
async function listen(
  { headers }: RequestInit,
  exchange: Exchange | undefined,
  send: () => Promise<Response>,
): Promise<Response> {
  const isResuming = new Headers(headers).has("last-event-id");
  if (exchange?.isOpen() !== true || !isResuming) {
    if (exchange !== undefined && exchange.resumed > 0) exchange.onLost("its stream ended before the answer came");
    return new Response(null, { status: 405 });
  }
  const pause_ms = Math.min(LONGEST_PAUSE_MS, RESUME_PAUSE_MS * 2 ** exchange.resumed);
  await sleep(exchange.resumed === 0 ? 0 : Math.max(0, exchange.resumed_at + pause_ms - performance.now()));
  exchange.resumed += 1;
  exchange.resumed_at = performance.now();
  const response = await send().catch((error: unknown) => {
    missed(exchange, "no connection");
    throw error;
  });
  if (response.ok) exchange.failed = 0;
  else missed(exchange, `HTTP ${response.status}`, response.status === 405);
  return watchAnswer(response, response.ok ? exchange : null);
}

/** With 405 the SDK does not try again. */
function missed(exchange: Exchange, why: string, isFinal = false): void {
  exchange.failed += 1;
  if (isFinal || exchange.failed >= RESUME_TRIES) exchange.onLost(`its stream could not be taken up again: ${why}`);
}

/** A notification has no id, and no answer. */
function wantsAnswer(body: RequestInit["body"]): boolean {
  if (typeof body !== "string") return false;
  const { id, method } = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  return id !== undefined && method !== undefined;
}
