// One request to a flow engine, sent once: what it answered, or why there is no answer. Redirects are not followed, for
// they would carry the token away; time and size are bounded.
import { Agent, fetch } from "undici";
import { networkFault } from "../../http-client/network-fault.ts";

export type Engine = { readonly url: string; readonly token: string; readonly workspace: string };

export type Answer =
  | { readonly is: "ok"; readonly text: string }
  /** `said` is the head of its answer. */
  | { readonly is: "refused"; readonly status: number; readonly said: string; readonly retry_after_ms: number }
  | { readonly is: "too_large"; readonly message: string }
  /** It never left. */
  | { readonly is: "unreachable"; readonly message: string }
  /** It may have arrived. */
  | { readonly is: "lost"; readonly message: string };

type Asked = {
  readonly method: "GET" | "POST";
  /** Behind `/api`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

export type Exchange = (asked: Asked) => Promise<Answer>;

type Bounds = { readonly limit_ms: number; readonly max_bytes: number };

/** Cut again where it is told, and redacted before. */
const HEAD = 16_384;
const LONGEST_RETRY_AFTER_MS = 60_000;

export function createExchange({ url, token }: Engine, { limit_ms, max_bytes }: Bounds) {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: limit_ms });
  const base = `${addressOf(url)}/api`;

  const exchange: Exchange = async ({ method, path, body, signal }) => {
    const limit = AbortSignal.timeout(limit_ms);
    const headers = new Headers({ accept: "application/json", authorization: `Bearer ${token}` });
    if (body !== undefined) headers.set("content-type", "application/json");
    try {
      const response = await fetch(base + path, {
        ...{ method, headers: Object.fromEntries(headers), redirect: "error", dispatcher: agent },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const text = await read(response.body, max_bytes);
      if (text === null) return { is: "too_large", message: `its answer has more than ${max_bytes} bytes` };
      if (response.ok) return { is: "ok", text };
      const retry_after_ms = retryAfter(response.headers.get("retry-after"));
      return { is: "refused", status: response.status, said: text.slice(0, HEAD).trim(), retry_after_ms };
    } catch (error) {
      return faultOf(error, limit.aborted ? limit_ms : null);
    }
  };

  return { exchange, close: () => agent.destroy() };
}

/** One form for all ways to write it. */
export const addressOf = (url: string): string => new URL(url).href.replace(/\/+$/, "").replace(/\/api$/, "");

async function read(body: AsyncIterable<Uint8Array> | null, max_bytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > max_bytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function faultOf(error: unknown, limit_ms: number | null): Answer {
  if (limit_ms !== null) return { is: "lost", message: `there was no answer within ${limit_ms / 1000} s` };
  if (!(error instanceof TypeError))
    return { is: "lost", message: error instanceof Error ? error.message : String(error) };
  const { message, sent, is_redirect } = networkFault(error);
  // A redirect is an answer: whoever gave it has run nothing.
  if (is_redirect) return { is: "refused", status: 302, said: message, retry_after_ms: 0 };
  return { is: sent ? "lost" : "unreachable", message };
}

/** Seconds, or a date by a clock that may be far off: bounded either way. */
function retryAfter(value: string | null): number {
  if (value === null) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
