// Recognises the forms in which the provider refuses a request, as observed by its clients.
import { jsonIn, type ProviderResponse } from "../exchange.ts";
import { VoiceError } from "../voice-error.ts";

/** Some pages come without the type of one. */
export const isPage = ({ headers, text }: ProviderResponse): boolean =>
  /\b(text\/html|application\/xhtml)\b/i.test(String(headers["content-type"])) || /^\s*<(!doctype|html)\b/i.test(text);

export const PERHAPS_SPOKEN = " The device may have spoken nevertheless, so the request was not repeated.";

const redirectsTo = ({ status, headers }: ProviderResponse, path: RegExp): boolean =>
  status >= 300 && status < 400 && path.test(String(headers["location"]));

/** A form for the password, sent in place of what was asked for. */
export const isSignInPage = (answer: ProviderResponse): boolean =>
  answer.status === 200 && isPage(answer) && /\/ap\/signin|type=["']?password/i.test(answer.text);

/** What a refusal says of the account, as a VoiceError; null when the account is not refused (D-156). */
export function accountRefusal(answer: ProviderResponse): VoiceError | null {
  const { status: upstream_status } = answer;
  if (redirectsTo(answer, /\/ap\/(cvf|mfa|challenge)|captcha/i))
    return new VoiceError("account_challenge", CHALLENGE, { upstream_status });
  if (upstream_status === 403 && isPage(answer))
    return new VoiceError("upstream_blocked", BLOCKED, { upstream_status });
  const isSignedOut = upstream_status === 401 || upstream_status === 403 || redirectsTo(answer, /\/ap\/signin/);
  return isSignedOut ? expired() : null;
}

export const expired = (): VoiceError => new VoiceError("cookie_expired", EXPIRED);

const EXPIRED =
  "The provider does not accept the account cookie any more. Obtain a new one with: npm run --silent cookie. Store it where the old one was; no restart is needed.";

const CHALLENGE =
  "The provider asks the owner of the account to confirm a sign-in. Sign in at the provider's site in a browser and confirm; if that does not help, obtain a new cookie with: npm run --silent cookie";

const BLOCKED =
  "The provider, or something in front of it, refused the request with a page (403). The cookie may still be right.";

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

/** In seconds, rounded up: a number of them, or a date by the provider's own clock. */
export function retryAfterOf({ headers }: ProviderResponse): number | null {
  const value = String(headers["retry-after"] ?? "").trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) || null;
  const sent = Date.parse(String(headers["date"] ?? ""));
  const seconds = Math.ceil((Date.parse(value) - (Number.isNaN(sent) ? Date.now() : sent)) / 1_000);
  return seconds > 0 ? seconds : null;
}

/** The JSON of a successful response; undefined for any other. */
export const jsonOf = ({ status, headers, text }: ProviderResponse): unknown =>
  status === 200 && /\bjson\b/i.test(String(headers["content-type"])) ? jsonIn(text) : undefined;
