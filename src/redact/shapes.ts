// Finds text that looks like a credential although its value is not known. The work is linear in the text: every expression
// begins with fixed words, its part before the secret is bounded, and a search that fails ends at a character with which the
// next one begins, so that no part of the text is searched repeatedly.
import type { Span } from "./span.ts";

/** The longest private keys have about 12,000 characters. */
const LONGEST_KEY = 16_384;

/** In quotes, in escaped quotes, or up to a blank or separator. */
const VALUE = [
  String.raw`(?<quote>["'])(?<quoted>(?:\\.|(?!\k<quote>)[^\\\n]){1,16384})\k<quote>`,
  String.raw`\\(?<mark>["'])(?<escaped>(?:(?!\\["'])[^\n]){1,16384})\\\k<mark>`,
  String.raw`(?<bare>\\?["']?[^\s"'&,;]+)`,
].join("|");

/** A value that the shell computes is not the secret itself. */
const assigned = (name: string, sign: string, flags: string) =>
  new RegExp(String.raw`(?:${name})\\?["']?[ \t]{0,8}${sign}[ \t]{0,8}(?!["']?(?:\$[({]|\`))(?:${VALUE})`, flags);

const HEADER_VALUE = String.raw`\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\[?\\?["']?`;

const SCHEMES = String.raw`bearer|basic|token|digest|negotiate|ntlm|oauth|hawk|aws4-[\w-]{1,32}`;

// The group `quoted`, `escaped` or `bare` is hidden; without such a group, the whole match.
const SHAPES: readonly RegExp[] = [
  new RegExp(`authorization${HEADER_VALUE}(?:(?:${SCHEMES})[ \\t]{1,8})?(?<bare>[^\\s"',;\\\\]+)`, "dgi"),
  new RegExp(
    `authorization${HEADER_VALUE}(?:digest|oauth|hawk|aws4-[\\w-]{1,32})[ \\t]{1,8}(?<bare>[^\\r\\n]+)`,
    "dgi",
  ),
  /\bbearer[ \t]{1,8}(?<bare>[\w.~+/=-]{16,})/dgi,
  /\bcookie2?\\?["']?[ \t]{0,8}:[ \t]{0,8}\[?\\?["'](?<quoted>[^\s"'=;:\\]{1,256}=(?:\\.|[^\\\r\n"'])*)/dgi,
  /\bcookie2?[ \t]{0,8}:[ \t]{0,8}(?<bare>[^\s"'=;:\\]{1,256}=(?:"[^"\r\n]*"|[^\r\n"'])*)/dgi,
  assigned("password|(?<!/)passwd|passphrase|(?:api|access|secret|private|account)[-_]?key", "[=:]", "dgi"),
  assigned("(?:access|auth|refresh|private|session|client)[-_]?(?:token|secret)", "[=:]", "dgi"),
  assigned("[?&](?:token|key|sig|signature)", "=", "dgi"),
  assigned("TOKEN|SECRET|PASS|_KEY|CREDENTIALS?|COOKIE", "=", "dg"),
  /:\/\/[^\s:@/"'<>]{0,256}:(?<bare>[^\s/"'<>]+)@/dg,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/dg,
  /(?:gh[pousr]_|github_pat_|glpat-|npm_|xox[abeoprs]-|\bAIza|\bhvs\.)[\w-]{20,}/dg,
  /(?<![\w-])sk-[\w-]{20,}/dg,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/dg,
];

export const findShapes = (text: string): Span[] => [
  ...SHAPES.flatMap((shape) => [...text.matchAll(shape)].map(hiddenPart)),
  ...findPrivateKeys(text),
];

function hiddenPart({ indices }: RegExpExecArray): Span {
  const { quoted, escaped, bare } = indices?.groups ?? {};
  const [start, end] = quoted ?? escaped ?? bare ?? indices?.[0] ?? [0, 0];
  return { start, end };
}

const KIND = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const PRIVATE_KEY = new RegExp(
  `-----BEGIN ${KIND}(?:[\\s\\S]{0,${LONGEST_KEY}}?-----END ${KIND}|[\\s\\S]{0,${LONGEST_KEY}})|(?<end>-----END ${KIND})`,
  "g",
);

/** Where the beginning or the end is missing, hides as much as the longest key may have. */
function findPrivateKeys(text: string): Span[] {
  const found: Span[] = [];
  for (const { index, 0: match, groups } of text.matchAll(PRIVATE_KEY)) {
    const cut = groups?.["end"] === undefined ? 0 : LONGEST_KEY;
    found.push({ start: Math.max(found.at(-1)?.end ?? 0, index - cut), end: index + match.length });
  }
  return found;
}
