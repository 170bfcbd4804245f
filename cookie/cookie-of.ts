// Finds the cookie in what the library calls back with, and judges whether the voice server can use it (specification,
// voice server credential).
import { SITE } from "./library-options.ts";

export type Found = { readonly ok: true; readonly cookie: string } | { readonly ok: false; readonly why: string };

const AGAIN = "Run the tool again and log in anew.";

/**
 * Anyone on the network can fetch the page behind which the library calls back with a bare string: of all cookies that it
 * has seen, a stranger's too. It is an outcome when it holds a login, and the provider has given one.
 */
export const isOutcome = (result: unknown, providerGaveLogin: boolean): boolean =>
  typeof result !== "string" || (providerGaveLogin && isLoggedIn(result));

export function cookieOf(result: unknown): Found {
  const isBare = typeof result === "string";
  const cookie = isBare ? result : textOf(result, "localCookie") || textOf(result, "cookie");
  if (cookie === "") return no(`The login ended without a cookie. ${AGAIN}`);
  if (!isBare && textOf(result, "amazonPage") !== SITE)
    return no(
      `The account belongs to another site, and the voice server speaks to ${SITE}. Log in with an account of that.`,
    );
  // Neither control characters nor anything outside Latin-1 can stand in a header.
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(cookie))
    return no(`The cookie of this login cannot be sent: it holds characters that no header may hold. ${AGAIN}`);
  if (!isLoggedIn(cookie)) return no(`The provider gave a cookie with which nobody is logged in. ${AGAIN}`);
  // A bare string is the cookie of a login without a code, for which the library asks for no csrf.
  return isBare || /^-?\d+$/.test(valueIn(cookie, "csrf"))
    ? { ok: true, cookie }
    : no(`The login succeeded, but the provider gave no csrf with the cookie. Wait some minutes. ${AGAIN}`);
}

const no = (why: string): Found => ({ ok: false, why });

function textOf(result: unknown, name: string): string {
  const text: unknown = typeof result === "object" && result !== null ? Reflect.get(result, name) : undefined;
  return typeof text === "string" ? text : "";
}

/** Providers take a cookie back by setting it to nothing, which is written in these ways. */
const isLoggedIn = (cookies: string): boolean => !["", '""', "-"].includes(valueIn(cookies, "at-acbjp"));

function valueIn(cookies: string, name: string): string {
  const found = cookies.split(";").find((cookie) => cookie.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) ?? "";
}
