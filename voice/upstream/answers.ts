// The forms in which the provider refuses a request, as observed by its clients.
import type { ProviderResponse } from "../exchange.ts";
import { jsonIn } from "../json.ts";
import { VoiceError } from "../voice-error.ts";

/** The provider refuses the cookie or the csrf. A redirect to the sign-in page means the same. */
export const isSignedOut = ({ status, headers }: ProviderResponse): boolean =>
  status === 401 ||
  status === 403 ||
  (status >= 300 && status < 400 && /\/ap\/signin/.test(String(headers["location"])));

/** A 429, a 400 with a name, or words alone. */
export const isThrottled = ({ status, headers, text }: ProviderResponse): boolean =>
  status === 429 ||
  /throttl/i.test(String(headers["x-amzn-errortype"])) ||
  (text.length < 500 && /rate exceeded|too many requests/i.test(text));

/** A failing provider says nothing about the account (D-157). */
export function refuseFailure({ status: upstream_status }: ProviderResponse): void {
  if (upstream_status < 500) return;
  throw new VoiceError("upstream_error", `The provider failed (${upstream_status}). Nothing was spoken.`, {
    upstream_status,
  });
}

/** Seconds, when the provider says how long to wait. */
export function retryAfterOf({ headers }: ProviderResponse): number | null {
  const seconds = Number(headers["retry-after"]);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : null;
}

/** The JSON of a successful response; undefined for any other. */
export const jsonOf = ({ status, headers, text }: ProviderResponse): unknown =>
  status === 200 && /\bjson\b/i.test(String(headers["content-type"])) ? jsonIn(text) : undefined;
