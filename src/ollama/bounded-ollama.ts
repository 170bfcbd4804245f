// The one place that makes a ChatOllama (spec section 4, routing model; section 1, agent backends). The library bounds nothing itself: its `timeout`
// and `signal` options leave a silent server pending, and an abort ends every call on the same instance.
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";
import { oneSocketFetch } from "./one-socket-fetch.ts";

/** A stream carries about one line per token; a line stays well below this. */
const BYTES_PER_TOKEN = 1024;

export type BoundedOllama = {
  readonly model: string;
  readonly base_url: string;
  /** From now to the last byte of the answer. */
  readonly deadline_ms: number;
  readonly context_tokens: number;
  readonly answer_tokens: number;
  readonly signal?: AbortSignal | undefined;
  readonly format?: ChatOllamaInput["format"];
  /** Left out, the model thinks as it is set up to. */
  readonly think?: boolean;
  /** For what the library cannot say: makes of the request's body the one that is sent. */
  readonly amend?: (request: object) => object;
};

/**
 * A chat model for exactly one call, to be made at once: the deadline runs from here. The call rejects at the deadline
 * with a TimeoutError, on `signal` with its reason, and with a fault when the server or its answer is not in order.
 */
export function boundedOllama(options: BoundedOllama): ChatOllama {
  const deadline = AbortSignal.timeout(options.deadline_ms);
  const bounds = options.signal === undefined ? [deadline] : [deadline, options.signal];
  const send = oneSocketFetch(bounds, options.answer_tokens * BYTES_PER_TOKEN);
  return new ChatOllama({
    model: options.model,
    baseUrl: options.base_url,
    temperature: 0,
    seed: 0,
    numCtx: options.context_tokens,
    numPredict: options.answer_tokens,
    ...(options.think === undefined ? {} : { think: options.think }),
    ...(options.format === undefined ? {} : { format: options.format }),
    fetch: options.amend === undefined ? send : amending(send, options.amend),
  });
}

const amending =
  (send: typeof fetch, amend: (request: object) => object): typeof fetch =>
  (url, init = {}) =>
    send(url, { ...init, body: JSON.stringify(amend(JSON.parse(String(init.body)))) });
