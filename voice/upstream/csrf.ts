// Obtains the csrf of an account's cookie. It is a signed integer as text and may be negative.
import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import type { ProviderResponse } from "../exchange.ts";
import { VoiceError } from "../voice-error.ts";
import { accountRefusal, refuseFailure } from "./answers.ts";
import type { AskUpstream } from "./upstream.ts";

/** The first path is the specification's; the others set the csrf too. */
const PATHS = [
  "/api/language",
  "/spa/index.html",
  "/api/devices-v2/device?cached=false",
  "/templates/oobe/d-device-pick.handlebars",
  "/api/strings",
];

export type Csrf = { readonly csrf: string; readonly from: string };

/** Rejects with a VoiceError that says how the account was refused. */
export async function obtainCsrf(ask: AskUpstream, cookie: AccountCookie): Promise<Csrf> {
  for (const path of PATHS) {
    const answer = await ask({ method: "GET", path, cookie: cookie.pairs });
    refuseFailure(answer);
    const csrf = csrfSetBy(answer);
    if (csrf !== null) return { csrf, from: path };
    const refusal = accountRefusal(answer);
    if (refusal !== null) throw refusal;
  }
  if (cookie.csrf !== null) return { csrf: cookie.csrf, from: "the stored cookie" };
  throw new VoiceError("csrf_missing", "The provider sent no csrf, and the cookie contains none; obtain a new cookie.");
}

/** The last value that has not expired: an answer may delete one and set another. */
function csrfSetBy({ status, headers }: ProviderResponse): string | null {
  if (status !== 200) return null;
  const now = Date.parse(String(headers["date"] ?? "")) || Date.now();
  const set = [headers["set-cookie"] ?? []].flat().flatMap((cookie) => {
    const csrf = /^\s*csrf\s*=\s*([^;\s]+)/.exec(cookie)?.[1];
    return csrf === undefined || hasExpired(cookie, now) ? [] : [csrf];
  });
  return set.at(-1) ?? null;
}

/** Max-Age comes before Expires. */
function hasExpired(cookie: string, now: number): boolean {
  const attribute = (name: string): string | undefined =>
    new RegExp(`;\\s*${name}\\s*=\\s*"?([^;"]*)`, "i").exec(cookie)?.[1]?.trim();
  const max_age = attribute("max-age");
  if (max_age !== undefined && /^-?\d+$/.test(max_age)) return Number(max_age) <= 0;
  return Date.parse(attribute("expires") ?? "") <= now;
}
