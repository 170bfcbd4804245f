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

function csrfSetBy({ status, headers }: ProviderResponse): string | null {
  if (status !== 200) return null;
  for (const cookie of [headers["set-cookie"] ?? []].flat()) {
    const csrf = /^\s*csrf=([^;\s]+)/.exec(cookie)?.[1];
    if (csrf !== undefined) return csrf;
  }
  return null;
}
