// The only place that creates a ChatOllama [4.model.request]. The library enforces no limits: with its `timeout` and
// `signal` options a silent server stays pending, and an abort ends every call on the same instance.
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";
import { oneSocketFetch } from "./one-socket-fetch.ts";
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
