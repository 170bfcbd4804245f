// The one way out to tool servers: no redirect is followed, an answer has a bounded size, and whoever waits for an answer
// is told when it cannot come any more (the SDK would wait for its time limit).
import { AsyncLocalStorage } from "node:async_hooks";
import { Agent, fetch as undiciFetch } from "undici";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** The SDK reads an answer a moment after its last byte has passed here. */
const READING_MS = 50;

/** One request while it is under way. `onLost` may come too late, when the answer has been read. */
export type Exchange = {
  readonly signal: AbortSignal;
  readonly onLost: (id: string | number, why: string) => void;
};

/** Tells the fetch below which exchange a request belongs to: a session sends those of several callers. */
export const exchanges = new AsyncLocalStorage<Exchange>();

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** No time limits of its own: those of 5 minutes would end a call that may take longer. */
export const createAgent = (): Agent => new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 10_000 });

export function createBoundedFetch(dispatcher: Agent): Fetch {
  return async (url, init = {}) => {
    if (isListening(init)) return new Response(null, { status: 405 });
    const id = requestId(init.body);
    const exchange = id === null ? undefined : exchanges.getStore();
    const signals = [init.signal, exchange?.signal].filter((signal) => signal != null);
    const options = { ...init, redirect: "error", dispatcher, signal: AbortSignal.any(signals) };
    // The types of undici and of Node's own copy of it differ in name only.
    const response = (await undiciFetch(url, options as object)) as unknown as Response;
    const lost = (why: string) => {
      if (exchange !== undefined && id !== null) setTimeout(exchange.onLost, READING_MS, id, why).unref();
    };
    if (response.status === 202) lost("the server has accepted the call and does not answer it");
    const { status, headers } = response;
    const body = response.body === null ? null : ReadableStream.from(watched(response.body, lost));
    return new Response(body, { status, headers });
  };
}

/** A server may send what nobody asked for over a stream that is opened with GET. None is opened: nobody would listen. */
const isListening = ({ method, headers }: RequestInit): boolean =>
  method === "GET" && !new Headers(headers).has("last-event-id");

/** The id of a JSON-RPC request; null for a notification. */
function requestId(body: RequestInit["body"]): string | number | null {
  if (typeof body !== "string") return null;
  const { id, method } = JSON.parse(body) as { readonly id?: string | number; readonly method?: string };
  return id === undefined || method === undefined ? null : id;
}

async function* watched(body: ReadableStream<Uint8Array>, lost: (why: string) => void): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let size = 0;
  let end = "";
  let resumable = false;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
      const text = end + decoder.decode(chunk, { stream: true });
      // Events that have ids can be asked for again, and the SDK does so.
      resumable ||= /^id:/m.test(text);
      end = text.slice(-4);
      yield chunk;
    }
    if (!resumable) lost("the connection ended before the answer came");
  } catch (error) {
    if (!resumable) lost(`the connection was lost before the answer came: ${messageOf(error)}`);
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
