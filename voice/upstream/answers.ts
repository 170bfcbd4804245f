// How the provider says no, in the forms that clients of it have met.
import type { Answer } from "../exchange.ts";
import { jsonIn } from "../json.ts";
import { VoiceError } from "../voice-error.ts";

/** The cookie, or the csrf with it, is not taken. A page that sends the browser to sign in says the same. */
export const isSignedOut = ({ status, headers }: Answer): boolean =>
  status === 401 ||
  status === 403 ||
  (status >= 300 && status < 400 && /\/ap\/signin/.test(String(headers["location"])));

/** As a 429, as a 400 with a name, or in words alone. */
export const isThrottled = ({ status, headers, text }: Answer): boolean =>
  status === 429 ||
  /throttl/i.test(String(headers["x-amzn-errortype"])) ||
  (text.length < 500 && /rate exceeded|too many requests/i.test(text));

/** A provider that fails says nothing of the account. */
export function refuseFailure({ status: upstream_status }: Answer): void {
  if (upstream_status < 500) return;
  throw new VoiceError("upstream_error", `The provider failed (${upstream_status}). Nothing was spoken.`, {
    upstream_status,
  });
}

/** Seconds, when the provider says how long to wait. */
export function retryAfterOf({ headers }: Answer): number | null {
  const seconds = Number(headers["retry-after"]);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : null;
}

/** Of an answer that is JSON and has been meant as such. */
export const jsonOf = ({ status, headers, text }: Answer): unknown =>
  status === 200 && /\bjson\b/i.test(String(headers["content-type"])) ? jsonIn(text) : undefined;
