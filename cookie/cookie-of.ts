// Finds the cookie in a result of the library and decides whether the voice server can use it (D-162).
import { SITE } from "./library-options.ts";

export type CookieResult =
  | { readonly ok: true; readonly cookie: string }
  | { readonly ok: false; readonly why: string };

const AGAIN = "Run the tool again and log in anew.";

/**
 * The library calls back with a bare string of all cookies that it has seen when a page is fetched, and anyone on the network
 * can fetch that page. The string counts only when it contains a login and the provider has given one.
 */
export const isOutcome = (result: unknown, providerGaveLogin: boolean): boolean =>
  typeof result !== "string" || (providerGaveLogin && isLoggedIn(result));

export function cookieOf(result: unknown): CookieResult {
  const isBare = typeof result === "string";
  const cookie = isBare ? result : textOf(result, "localCookie") || textOf(result, "cookie");
  if (cookie === "") return no(`The login ended without a cookie. ${AGAIN}`);
  if (!isBare && textOf(result, "amazonPage") !== SITE)
    return no(
      `The account belongs to another site, and the voice server speaks to ${SITE}. Log in with an account of that site.`,
    );
  // A header cannot contain control characters or anything outside Latin-1.
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(cookie))
    return no(`The cookie of this login cannot be sent: it contains characters that a header cannot contain. ${AGAIN}`);
  if (!isLoggedIn(cookie)) return no(`The cookie of this login is not signed in. ${AGAIN}`);
  return { ok: true, cookie };
}

const no = (why: string): CookieResult => ({ ok: false, why });

function textOf(result: unknown, name: string): string {
  const text: unknown = typeof result === "object" && result !== null ? Reflect.get(result, name) : undefined;
  return typeof text === "string" ? text : "";
}

/** Providers revoke a cookie by setting it to one of these empty values. */
const isLoggedIn = (cookies: string): boolean => !["", '""', "-"].includes(valueIn(cookies, "at-acbjp"));

function valueIn(cookies: string, name: string): string {
  const found = cookies.split(";").find((cookie) => cookie.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) ?? "";
}
