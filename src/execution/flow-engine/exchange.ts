// One request to a flow engine, sent once: what it answered, or why there is no answer.
import { isRedirect, REDIRECTED } from "../../http-client/fault.ts";
import { listenerCheck } from "../../http-client/listener.ts";
import { type NoResponse, sendRequest } from "../../http-client/request.ts";

export type Engine = {
  readonly url: string;
  readonly token: string;
  readonly workspace: string;
  /** Whose listener on loopback is sent the token: that of this account, of any, or (null) of root and this account. */
  readonly peer?: string | null;
};

export type EngineAnswer =
  | { readonly is: "ok"; readonly text: string }
  /** `message` is the head of its answer. */
  | { readonly is: "refused"; readonly status: number; readonly message: string; readonly retry_after_ms: number }
  | { readonly is: "too_large"; readonly message: string }
  /** It never left. */
  | { readonly is: "unreachable"; readonly message: string }
  /** It may have arrived. */
  | { readonly is: "lost"; readonly message: string };

type EngineRequest = {
  readonly method: "GET" | "POST";
  /** After `/api`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

export type EngineExchange = (asked: EngineRequest) => Promise<EngineAnswer>;

type ExchangeLimits = { readonly limit_ms: number; readonly max_bytes: number };

/** Cut again where it is shown, and redacted before. */
const HEAD = 16_384;
const LONGEST_RETRY_AFTER_MS = 60_000;

export function createExchange({ url, token, peer = null }: Engine, { limit_ms, max_bytes }: ExchangeLimits) {
  const closing = new AbortController();
  const base = `${addressOf(url)}/api`;
  const verify = listenerCheck({ account: peer, variable: "FLOWENGINE_PEER" });

  const exchange: EngineExchange = async ({ method, path, body, signal }) => {
    const response = await sendRequest({
      method,
      url: base + path,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      limit_ms,
      max_bytes,
      verify,
      signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
    });
    if (!response.ok) return noAnswer(response, max_bytes);
    const { status, text, headers } = response;
    if (status >= 200 && status <= 299) return { is: "ok", text };
    // A redirect is an answer: the server that gave it has run nothing.
    if (isRedirect(status)) return { is: "refused", status: 302, message: REDIRECTED, retry_after_ms: 0 };
    const retry_after_ms = retryAfter(headers["retry-after"]);
    return { is: "refused", status, message: text.slice(0, HEAD).trim(), retry_after_ms };
  };

  return { exchange, close: async (): Promise<void> => closing.abort() };
}

/** One form for all ways to write it. */
export const addressOf = (url: string): string => new URL(url).href.replace(/\/+$/, "").replace(/\/api$/, "");

function noAnswer({ fault: { code, message, sent } }: NoResponse, max_bytes: number): EngineAnswer {
  if (code === "too_large") return { is: "too_large", message: `its answer has more than ${max_bytes} bytes` };
  return { is: sent ? "lost" : "unreachable", message };
}

/** Seconds, or a date by a clock that may be far off: bounded either way. */
function retryAfter(value: string | undefined): number {
  if (value === undefined) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
