// Obtains the csrf of an account's cookie. It is a signed integer as text and may be negative.

import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import type { ProviderResponse } from "../exchange.ts";
import { VoiceError } from "../voice-error.ts";
import { isSignedOut, refuseFailure } from "./answers.ts";
import type { AskUpstream } from "./upstream.ts";

/** The first path is the specification's; the others set the csrf too. */
const PATHS = [
  "/api/language",
  "/spa/index.html",
  "/api/devices-v2/device?cached=false",
  "/templates/oobe/d-device-pick.handlebars",
  "/api/strings",
];

/** Null when the account is not signed in. */
export async function obtainCsrf(ask: AskUpstream, cookie: AccountCookie): Promise<string | null> {
  for (const path of PATHS) {
    const answer = await ask({ method: "GET", path, cookie: cookie.pairs });
    refuseFailure(answer);
    const csrf = csrfSetBy(answer);
    if (csrf !== null) return csrf;
    if (isSignedOut(answer)) return null;
  }
  if (cookie.csrf !== null) return cookie.csrf;
  throw new VoiceError("csrf_missing", "The provider sent no csrf, and the cookie contains none; obtain a new cookie.");
}

function csrfSetBy({ status, headers }: ProviderResponse): string | null {
  if (status !== 200) return null;
  for (const cookie of [headers["set-cookie"] ?? []].flat()) {
    const csrf = /^\s*csrf=([^;\s]+)/.exec(cookie)?.[1];
    if (csrf !== undefined) return csrf;
  }
  return null;
}
