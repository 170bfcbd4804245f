// An account cookie in the form in which it is sent: name=value pairs, and the csrf apart, because it is replaced.

export type AccountCookie = {
  /** Without csrf. */
  readonly pairs: string;
  /** The csrf with which the cookie was stored. */
  readonly csrf: string | null;
};

type CookieReading =
  | { readonly ok: true; readonly cookie: AccountCookie }
  | { readonly ok: false; readonly reason: string };

/** `reason` never contains a part of the text. */
export function readAccountCookie(text: string): CookieReading {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (trimmed === "") return { ok: false, reason: "is empty" };
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(trimmed)) {
    return {
      ok: false,
      reason: "contains a line break or a character that a header cannot contain; store it again, on one line",
    };
  }
  const all = trimmed.split(";").map((pair) => pair.trim());
  const pairs = all.filter((pair) => pair !== "");
  if (!pairs.every((pair) => /^[^\s=]+=/.test(pair))) {
    return {
      ok: false,
      reason: "does not consist of name=value pairs; store only what the cookie tool printed",
    };
  }
  const account = pairs.filter((pair) => !pair.startsWith("csrf="));
  if (account.length === 0) return { ok: false, reason: "contains only a csrf" };
  const csrf = pairs.findLast((pair) => pair.startsWith("csrf="))?.slice("csrf=".length) ?? null;
  return { ok: true, cookie: { pairs: account.join("; "), csrf } };
}
