// Finds the cookie in what the library calls back with, and judges whether the voice server can use it (specification,
// voice server credential).

export type Found = { readonly ok: true; readonly cookie: string } | { readonly ok: false; readonly why: string };

const AGAIN = "Run the tool again and log in anew.";

export function cookieOf(result: unknown): Found {
  const cookie = textOf(result);
  if (cookie === "") return no(`The login ended without a cookie. ${AGAIN}`);
  // Neither control characters nor anything outside Latin-1 can stand in a header.
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(cookie))
    return no(`The cookie of this login cannot be sent: it holds characters that no header may hold. ${AGAIN}`);
  // A bare string is the cookie of a login without a code, for which the library asks for no csrf.
  if (typeof result === "string")
    return has(/^at-/, cookie)
      ? { ok: true, cookie }
      : no(`The login was not completed: nobody is logged in. ${AGAIN}`);
  return has(/^csrf$/, cookie)
    ? { ok: true, cookie }
    : no(`The login succeeded, but the provider gave no csrf with the cookie. Wait some minutes. ${AGAIN}`);
}

const no = (why: string): Found => ({ ok: false, why });

function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  if (typeof result !== "object" || result === null) return "";
  const local = "localCookie" in result ? result.localCookie : undefined;
  const found = local ?? ("cookie" in result ? result.cookie : undefined);
  return typeof found === "string" ? found : "";
}

/** Whether a cookie of such a name is there and not empty. */
const has = (name: RegExp, cookies: string): boolean =>
  cookies.split(";").some((cookie) => {
    const [key = "", value = ""] = cookie.trim().split(/=(.*)/s);
    return name.test(key) && value !== "";
  });
