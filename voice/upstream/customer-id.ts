// Obtains the id of the customer who owns the cookie, from GET /api/bootstrap or, where that is gone, /api/users/me.

import { z } from "zod";
import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import { VoiceError } from "../voice-error.ts";
import { isSignedOut, jsonOf, refuseFailure } from "./answers.ts";
import type { AskUpstream } from "./upstream.ts";

const CustomerId = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

const Bootstrap = z.object({
  authentication: z.union([
    z.object({ authenticated: z.literal(false) }),
    z.object({ authenticated: z.literal(true), customerId: CustomerId }),
  ]),
});

const Me = z.object({ id: CustomerId });

/** Null when the account is not signed in. `configured` is the fallback when the provider does not send the id. */
export async function obtainCustomerId(
  ask: AskUpstream,
  cookie: AccountCookie,
  configured: string | null,
): Promise<string | null> {
  const bootstrap = await ask({ method: "GET", path: "/api/bootstrap", cookie: cookie.pairs });
  if (isSignedOut(bootstrap)) return null;
  const found = Bootstrap.safeParse(jsonOf(bootstrap)).data?.authentication;
  if (found !== undefined) return found.authenticated ? found.customerId : null;

  const path = "/api/users/me?platform=ios&version=2.2.651540.0";
  const me = await ask({ method: "GET", path, cookie: cookie.pairs });
  if (isSignedOut(me)) return null;
  const id = Me.safeParse(jsonOf(me)).data?.id ?? configured;
  if (id !== null) return id;
  refuseFailure(bootstrap);
  refuseFailure(me);
  const message = `The provider sends the customer id neither in /api/bootstrap (${bootstrap.status}) nor in /api/users/me (${me.status}); set VOICE_CUSTOMER_ID.`;
  throw new VoiceError("upstream_changed", message);
}
