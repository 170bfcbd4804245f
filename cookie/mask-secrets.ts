// Makes a text of unknown origin fit to be shown: short, one line, and without what looks like a token, a cookie, a code
// or an address with parameters (specification, voice server credential: the cookie is printed once and nowhere else).

const LONGEST = 200;
const MASK = "***";

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Of an address only its site is shown: codes stand in the query, session ids in the path.
  [/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'<>]*@)?([^\s/?#"'<>]+)[^\s"'<>]*/gi, `$1$2/${MASK}`],
  [/\?[^\s"'<>]+/g, `?${MASK}`],
  // The tokens of the provider: Atza|…, Atnr|…
  [/\bA[a-z]{3}(?:\||%7C)[^\s"'<>;,]*/gi, MASK],
  [/\b(set-cookie|cookie|authorization|csrf)(["']?\s*:).*/gi, `$1$2 ${MASK}`],
  [/\bBearer\s+\S+/gi, `Bearer ${MASK}`],
  [/(["'][\w.-]+["']\s*:\s*)(?:"[^"]*"?|'[^']*'?|[^\s,}\]]+)/g, `$1${MASK}`],
  // Cookies and form fields: a value in quotes may hold blanks.
  [/([\w.-]+)=("[^"]*"?|[^\s;&,"'<>]+)/g, `$1=${MASK}`],
  [/[\w+/=~%-]{20,}/g, MASK],
];

export function maskSecrets(text: string): string {
  const line = text
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const masked = SECRETS.reduce((masked, [secret, instead]) => masked.replace(secret, instead), line);
  return masked.length <= LONGEST ? masked : `${masked.slice(0, LONGEST)}…`;
}
