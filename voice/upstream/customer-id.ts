// Obtains the id of the customer who owns the cookie, from GET /api/bootstrap or, where that is gone, /api/users/me.
import { z } from "zod";
import type { AccountCookie } from "../cookie-source/account-cookie.ts";
import { VoiceError } from "../voice-error.ts";
import { accountRefusal, expired, isSignInPage, jsonOf, refuseFailure } from "./answers.ts";
import type { AskUpstream } from "./upstream.ts";

const CustomerId = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

const Bootstrap = z.object({
  authentication: z.union([
    z.object({ authenticated: z.literal(false) }),
    z.object({ authenticated: z.literal(true), customerId: CustomerId }),
  ]),
});

const Me = z.object({ id: CustomerId });

export type Customer = { readonly id: string; readonly from: string };

/** Rejects with a VoiceError that says how the account was refused. `configured` is the fallback when no id is sent. */
export async function obtainCustomerId(
  ask: AskUpstream,
  cookie: AccountCookie,
  configured: string | null,
): Promise<Customer> {
  const bootstrap = await ask({ method: "GET", path: "/api/bootstrap", cookie: cookie.pairs });
  const refusal = accountRefusal(bootstrap);
  if (refusal !== null) throw refusal;
  const found = Bootstrap.safeParse(jsonOf(bootstrap)).data?.authentication;
  if (found?.authenticated === false) throw expired();
  if (found !== undefined) return { id: found.customerId, from: "/api/bootstrap" };

  const path = "/api/users/me?platform=ios&version=2.2.651540.0";
  const me = await ask({ method: "GET", path, cookie: cookie.pairs });
  const second = accountRefusal(me);
  if (second !== null) throw second;
  const id = Me.safeParse(jsonOf(me)).data?.id;
  if (id !== undefined) return { id, from: "/api/users/me" };
  // Another id would not help an account that is not signed in.
  if (isSignInPage(bootstrap) || isSignInPage(me)) throw expired();
  if (configured !== null) return { id: configured, from: "VOICE_CUSTOMER_ID" };
  refuseFailure(bootstrap);
  refuseFailure(me);
  const message = `The provider sends the customer id neither in /api/bootstrap (${bootstrap.status}) nor in /api/users/me (${me.status}); set VOICE_CUSTOMER_ID.`;
  throw new VoiceError("upstream_changed", message);
}
