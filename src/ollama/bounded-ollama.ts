// The only place that creates a ChatOllama [4.model.request]. The library enforces no limits: with its `timeout` and
// `signal` options a silent server stays pending, and an abort ends every call on the same instance.
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";
import { type HttpFault, HttpFaultError } from "../http-client/fault.ts";
import { openRequest } from "../http-client/request.ts";
import { checkedStream } from "./checked-stream.ts";
import { fault, knownFault } from "./fault.ts";
import type { ServedModel } from "./served-model.ts";

/** A stream carries about one line per token; a line stays well below this. */
const BYTES_PER_TOKEN = 1024;

export type BoundedOllama = {
  readonly model: Pick<ServedModel, "name" | "base_url" | "keep_alive">;
  /** From now to the last byte of the answer. */
  readonly deadline_ms: number;
  readonly context_tokens: number;
  readonly answer_tokens: number;
  readonly signal?: AbortSignal | undefined;
  readonly format?: ChatOllamaInput["format"];
  /** Without it, the default of the model applies. */
  readonly think?: boolean;
  /** Changes the messages of the request, for fields that the library cannot set. */
  readonly amend?: (request: object) => object;
};

/**
 * A chat model for exactly one call. The deadline begins now, so make the call immediately. The call rejects at the
 * deadline with a TimeoutError, on `signal` with its reason, and with a fault if the server or its response is invalid.
 */
export function boundedOllama(options: BoundedOllama): ChatOllama {
  const deadline = AbortSignal.timeout(options.deadline_ms);
  const bounds = options.signal === undefined ? [deadline] : [deadline, options.signal];
  const send = oneSocketFetch(bounds, options.answer_tokens * BYTES_PER_TOKEN);
  const { name, base_url, keep_alive } = options.model;
  return new ChatOllama({
    model: name,
    baseUrl: base_url,
    temperature: 0,
    seed: 0,
    numCtx: options.context_tokens,
    numPredict: options.answer_tokens,
    ...(options.think === undefined ? {} : { think: options.think }),
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(keep_alive === null ? {} : { keepAlive: keep_alive }),
    fetch: amending(send, (request) => whole(options.amend?.(request) ?? request)),
  });
}

/** The server must refuse what does not fit. By default it silently drops the oldest messages (D-141). */
const whole = (request: object) => ({ ...request, truncate: false, shift: false });

const amending =
  (send: typeof fetch, amend: (request: object) => object): typeof fetch =>
  (url, init = {}) =>
    send(url, { ...init, body: JSON.stringify(amend(JSON.parse(String(init.body)))) });

// A fetch for one call to a model on a connection of its own, checked and bounded: the client library takes a fetch.

/** An error that says more is not read to its end. */
const ERROR_BYTES = 65_536;

/** Rejects with the reason of the signal that ended it. The connection closes with the answer. */
function oneSocketFetch(bounds: readonly AbortSignal[], max_bytes: number): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const signal = AbortSignal.any(init.signal ? [...bounds, init.signal] : [...bounds]);
    const response = await openRequest({
      method: request.method === "GET" ? "GET" : "POST",
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
      signal,
      // The checked stream has a limit and a fault of its own.
      max_bytes: Number.POSITIVE_INFINITY,
    });
    if (!response.ok) throw rejection(response.fault, signal);
    const { status, body } = response;
    if (status < 200 || status > 299) throw knownFault(await readBeginning(body)) ?? fault("http_status", status);
    return new Response(checkedStream(rejecting(body, signal), max_bytes));
  };
}

const rejection = ({ message, system_code }: HttpFault, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : Object.assign(new Error(message), { code: system_code });

/** As much of it as can be had: the status is known already. Leaving the loop closes the connection. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      bytes += part.byteLength;
      if (bytes > ERROR_BYTES) break;
    }
  } catch {}
  return Buffer.concat(parts).toString("utf8");
}

async function* rejecting(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw error instanceof HttpFaultError ? rejection(error.fault, signal) : error;
  }
}
