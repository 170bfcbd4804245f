// An account cookie as it can be sent: name=value pairs, the csrf apart because it is replaced and must not stand there twice.

export type AccountCookie = {
  /** Without csrf. */
  readonly pairs: string;
  /** The one that it was stored with. */
  readonly csrf: string | null;
};

export type CookieReading =
  | { readonly ok: true; readonly cookie: AccountCookie }
  | { readonly ok: false; readonly reason: string };

/** `reason` never holds a part of the text. */
export function readAccountCookie(text: string): CookieReading {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (trimmed === "") return { ok: false, reason: "is empty" };
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(trimmed)) {
    return { ok: false, reason: "holds a line break or a character that no header takes; store it again, on one line" };
  }
  const all = trimmed.split(";").map((pair) => pair.trim());
  const pairs = all.filter((pair) => pair !== "");
  if (!pairs.every((pair) => /^[^\s=]+=/.test(pair))) {
    return {
      ok: false,
      reason: "is not made of name=value pairs; store what the cookie tool printed, and nothing else",
    };
  }
  const account = pairs.filter((pair) => !pair.startsWith("csrf="));
  if (account.length === 0) return { ok: false, reason: "holds nothing but a csrf" };
  const csrf = pairs.find((pair) => pair.startsWith("csrf="))?.slice("csrf=".length) ?? null;
  return { ok: true, cookie: { pairs: account.join("; "), csrf } };
}
