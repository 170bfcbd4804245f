// Asks the provider's web API: one request at a time, those of higher priority first, with a pause between any two (D-154). After
// throttling, no request is sent for a while, because each further one would count.
import { setTimeout as sleep } from "node:timers/promises";
import PQueue from "p-queue";
import { exchange, type ProviderFault, type ProviderResponse } from "../exchange.ts";
import { VoiceError } from "../voice-error.ts";
import { isThrottled, PERHAPS_SPOKEN, retryAfterOf } from "./refusals.ts";

export type UpstreamSettings = {
  readonly base_url: string;
  readonly timeout_ms: number;
  /** Between the starts of two requests. */
  readonly gap_ms: number;
};

type Call = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly cookie: string;
  /** Sent twice, as a cookie and as a header. */
  readonly csrf?: string;
  readonly body?: string;
} & Partial<Turn>;

export type Turn = {
  /** A call that has not begun when this is aborted is not made. */
  readonly signal: AbortSignal;
  /** A call with a higher one goes before those that wait. */
  readonly priority: number;
};

/** Rejects with a VoiceError when there is no response, or the provider asks for fewer requests. */
export type AskUpstream = (call: Call) => Promise<ProviderResponse>;

type Upstream = {
  readonly ask: AskUpstream;
  /** Null when a request may be sent. */
  readonly throttled: () => VoiceError | null;
};

/** The pause of the provider's own clients after throttling, where the provider names none. */
const COOL_DOWN_S = 15;

/** A longer one is taken for a mistake. */
const MAX_COOL_DOWN_S = 86_400;

const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export function createUpstream({ base_url, timeout_ms, gap_ms }: UpstreamSettings): Upstream {
  const { origin } = new URL(base_url);
  const queue = new PQueue({ concurrency: 1 });
  let next_at = 0;
  let throttled_until = 0;

  const throttled = (): VoiceError | null => {
    const left_ms = throttled_until - performance.now();
    return left_ms > 0 ? tooMany(Math.ceil(left_ms / 1_000)) : null;
  };
  const refuseWhileThrottled = () => {
    const refusal = throttled();
    if (refusal !== null) throw refusal;
  };

  const ask = async (call: Call): Promise<ProviderResponse> => {
    await sleep(Math.max(0, next_at - performance.now()), undefined, { signal: call.signal });
    refuseWhileThrottled();
    next_at = performance.now() + gap_ms;
    const { method, path, body } = call;
    const sent = { method, url: base_url + path, headers: headersOf(call, origin), timeout_ms };
    const answer = await exchange(body === undefined ? sent : { ...sent, body });
    if ("fault" in answer) throw noAnswer(answer, method);
    // A preview that succeeded may have been spoken, also where its answer speaks of throttling.
    const perhapsSpoken = method === "POST" && answer.status >= 200 && answer.status < 300;
    if (!isThrottled(answer) || perhapsSpoken) return answer;
    const retry_after = Math.min(retryAfterOf(answer) ?? COOL_DOWN_S, MAX_COOL_DOWN_S);
    throttled_until = performance.now() + retry_after * 1_000;
    throw tooMany(retry_after);
  };

  return {
    ask: async (call) => {
      // A throttled call is refused before it waits.
      refuseWhileThrottled();
      return serialize(queue, () => ask(call), call);
    },
    throttled,
  };
}

function headersOf({ method, cookie, csrf }: Call, origin: string): Record<string, string> {
  return {
    Cookie: csrf === undefined ? cookie : `${cookie}; csrf=${csrf}`,
    ...(csrf !== undefined && { csrf }),
    "User-Agent": USER_AGENT,
    Accept: "application/json; charset=utf-8",
    "Accept-Language": "ja-JP",
    Referer: `${origin}/spa/index.html`,
    Origin: origin,
    DNT: "1",
    // Without the charset the provider reads Latin-1.
    ...(method === "POST" && { "Content-Type": "application/json; charset=utf-8" }),
  };
}

const tooMany = (retry_after: number): VoiceError =>
  new VoiceError("throttled", `The provider asks for fewer requests; try again in ${retry_after} s.`, { retry_after });

/** A request that may have been received is never sent again: the device would speak twice. */
function noAnswer({ fault, cause }: ProviderFault, method: string): VoiceError {
  if (fault === "unreachable") {
    return new VoiceError("upstream_unreachable", `The provider cannot be reached (${cause}). Nothing was spoken.`);
  }
  const perhaps_spoken = method === "POST";
  const spoken = perhaps_spoken ? PERHAPS_SPOKEN : "";
  if (fault === "timeout") {
    return new VoiceError("upstream_timeout", `The provider did not respond in time.${spoken}`, { perhaps_spoken });
  }
  const message = `The connection to the provider broke (${cause}).${spoken}`;
  return new VoiceError("upstream_unreachable", message, { perhaps_spoken });
}

type SerializeTurn = { readonly signal?: AbortSignal; readonly priority?: number };

/**
 * Runs tasks one after the other, those with a higher priority first. A caller may leave while its task waits; a task that has
 * begun runs to its end. Rejects with the reason of the signal when it is aborted before the task begins.
 */
async function serialize<T>(
  queue: PQueue,
  task: () => Promise<T>,
  { signal, priority = 0 }: SerializeTurn,
): Promise<T> {
  signal?.throwIfAborted();
  const leaving = new AbortController();
  const leave = () => leaving.abort(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  const serve = () => {
    signal?.removeEventListener("abort", leave);
    return task();
  };
  return queue.add(serve, { signal: leaving.signal, priority });
}
