// Finds secrets in text (D-065). Those whose values are known: plain, URL-encoded, in JSON, in base64 of any text that contains
// them, in hex; blanks and backslashes are ignored, so that wrapped base64, hex dumps, `\/` and JSON inside JSON match as well.
// Those of known shapes: linear in the text, because every expression begins with fixed words, its part before the secret is
// bounded, and a search that fails ends where the next one begins.
import { REDACTED as MARK } from "../domain/printable.ts";

// Tokens that a fixed beginning gives away (D-065). The list follows the rules of gitleaks and secretlint, and adds services
// of home labs.

/** Regular expressions. `starts`: where a part of `begins` that is not fixed could be cut, how the first piece ends. */
type TokenShapes = { readonly rest: string; readonly begins: string; readonly starts?: string };

const TOKEN_SHAPES_SHAPES: readonly TokenShapes[] = [
  {
    rest: String.raw`[\w-]{20,}`,
    begins: String.raw`gh[pousr]_ github_pat_ gl(?:pat|dt|ft|ffct|imt|agent|oas|ptt|rt|cbt|soat)- GR1348941 xox[abeoprs]- xoxe\.xox[bp]-
      xapp-\d- AIza ya29\. 1//0 hv[sb]\. api_org_ do[opr]_v1_ dckr_[po]at_ pypi-AgE tskey-[a-z]{2,12}- lin_api_ sk- PMAK- HRKU-AA
      pscale_(?:tkn|oauth|pw)_ sntry[us]_ xkeysib- xsmtpsib- gl(?:sa|c)_ fo1_ fm1[ar]_ fm2_ ops_eyJ dt0[cs]\d\d\. ATATT3 ATCTT3
      (?:[sr]k|whsec)_(?:live|test|prod)_ whsec_ sq0[a-z]{3}- bedrock-api-key- duffel_(?:live|test)_ shippo_(?:live|test)_
      FLWSECK_TEST- FLWSECK- nvapi- figd_ sha256~ tk-us- fio-u- EAAA A3-[A-Z0-9]{6}-`,
  },
  {
    rest: "[A-Za-z0-9]{30,}",
    begins: String.raw`npm_ hf_ r8_ ntn_ rdme_ pnu_ gsk_ pplx- EZ[AT]K AKCp rubygems_ CLOJARS_ ico- p8e- ATBB shp(?:at|ca|pa|ss)_ 4b1d
      AGE-SECRET-KEY-1 cmVmd ABSK dp\.[a-z]{2,6}\. dapi pul- key- EAA[MC]`,
  },
  { rest: "[A-Za-z0-9]{16,}", begins: "LTAI A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9]) sm_[aps]at_" },
  { rest: "[a-f0-9]{32}", begins: "SK" },
  { rest: "[a-z0-9]{29}", begins: "tk_" },
  { rest: "[a-f0-9]{64}", begins: String.raw`pat[A-Za-z0-9]{14}\.`, starts: String.raw`pat[A-Za-z0-9]{4,14}\.?$` },
  { rest: "[a-f0-9]{146}", begins: String.raw`v1\.0-[a-f0-9]{24}-`, starts: String.raw`v1\.0-` },
  { rest: String.raw`[\w-]{130,}`, begins: String.raw`sl\.` },
  { rest: String.raw`[\w-]{16,}\.[\w-]{16,}`, begins: String.raw`SG\.` },
  {
    rest: String.raw`[\w.-]{40,}`,
    begins: String.raw`[ps]at\.[\w-]{22}\.`,
    starts: String.raw`[ps]at\.[\w-]{4,22}\.?$`,
  },
  { rest: String.raw`[\w=-]{60,}`, begins: String.raw`[A-Za-z0-9]{14}\.atlasv1\.` },
  { rest: "[A-Za-z0-9+/]{40,}", begins: "eyJrIjoi" },
  // Telegram and Discord.
  { rest: String.raw`AA[\w-]{32,}`, begins: String.raw`\d{8,10}:`, starts: String.raw`\d{8,10}(?::A?)?$` },
  {
    rest: String.raw`[\w-]{6}\.[\w-]{27,}`,
    begins: String.raw`[MNO][\w-]{23,25}\.`,
    starts: String.raw`[MNO][\w-]{7,25}$`,
  },
  { rest: String.raw`[\w-]{20,}`, begins: String.raw`PVEAPIToken=[^\s=]{1,128}=`, starts: "PVEAPIToken" },
  // Their addresses are their secrets.
  {
    rest: String.raw`[\w@/+-]{30,}`,
    begins: String.raw`hooks\.slack\.com/[a-z]{1,12}/ discord(?:app)?\.com/api/webhooks/ webhook\.office\.com/webhookb2/`,
  },
];

const beginningsOf = ({ begins }: TokenShapes): string => `(?:${begins.split(/\s+/).join("|")})`;

/** A letter before it is part of another word, unless it is that of an escaped end of a line. */
export const TOKEN = new RegExp(
  String.raw`(?:(?<![\w-])|(?<=\\[nrt]))(?:${TOKEN_SHAPES_SHAPES.map((shape) => `${beginningsOf(shape)}${shape.rest}`).join("|")})(?:\.?[\w~+/=-])*`,
  "dg",
);

/** Whether more on the same line may make a token of a part of it. */
const BEGINS_A_TOKEN = new RegExp(
  TOKEN_SHAPES_SHAPES.flatMap((shape) => [
    beginningsOf(shape),
    ...(shape.starts === undefined ? [] : [`(?<![\\w-])(?:${shape.starts})`]),
  ]).join("|"),
);

/** From `start` up to, not including, `end`, in UTF-16 code units. */
type Span = { readonly start: number; readonly end: number };

/** All occurrences of `part` in the text, without overlaps. */
function occurrences(text: string, part: string): Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(part); start !== -1; start = text.indexOf(part, start + part.length)) {
    found.push({ start, end: start + part.length });
  }
  return found;
}

/** Shorter values would also hide ordinary words. */
const MIN_LENGTH = 8;

const withoutBlanks = (text: string): string => text.replace(/[\s\\]+/g, "");

type Known = { readonly secrets: readonly string[]; readonly forms: readonly string[] };

function knownForms(values: readonly string[]): Known {
  // A secret that is part of the mark would match in every mark.
  const secrets = [...new Set(values)].filter(isWorthHiding);
  return { secrets, forms: [...new Set(secrets.flatMap(formsOf).map(withoutBlanks))].filter(isWorthHiding) };
}

function findKnownValues(values: readonly string[]): (text: string) => Span[] {
  const { secrets, forms } = knownForms(values);
  return (text) => {
    const dense = withoutBlanks(text);
    const found = forms.flatMap((form) => occurrences(dense, form));
    // A value of almost only blanks has no dense form.
    return [...secrets.flatMap((secret) => occurrences(text, secret)), ...spread(found, text)];
  };
}

/** Fewer characters also end ordinary words. */
const MIN_BEGINNING = 4;

/** Where a known value begins that the text may end within; the length of the text where there is none. */
export function findBeginning(values: readonly string[]): (text: string) => number {
  const { secrets, forms } = knownForms(values);
  const firstIn = (text: string, among: readonly string[]) =>
    Math.min(text.length, ...among.map((form) => beginningIn(text, form)));
  return (text) => {
    const dense = withoutBlanks(text);
    const start = firstIn(dense, forms);
    const [found] = start === dense.length ? [] : spread([{ start, end: start + 1 }], text);
    return Math.min(firstIn(text, secrets), found?.start ?? text.length);
  };
}

function beginningIn(text: string, form: string): number {
  const head = form.slice(0, MIN_BEGINNING);
  const from = Math.max(0, text.length - form.length + 1);
  for (let at = text.indexOf(head, from); at !== -1; at = text.indexOf(head, at + 1)) {
    if (form.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

const isWorthHiding = (text: string): boolean => text.length >= MIN_LENGTH && !MARK.includes(text);

/** Converts spans of the text without blanks to spans of the text. */
function spread(spans: readonly Span[], text: string): Span[] {
  if (spans.length === 0) return [];
  const places = new Uint32Array(text.length);
  let length = 0;
  for (const { index, 0: part } of text.matchAll(/[^\s\\]+/g)) {
    for (let offset = 0; offset < part.length; offset += 1) places[length++] = index + offset;
  }
  return spans.map(({ start, end }) => ({ start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 }));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = ["", "%", "x", ":"].map((between) => bytes.toString("hex").replace(/..(?!$)/g, `$&${between}`));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...urlForms(secret),
    ...[0, 1, 2].flatMap((shift) => [base64Core(bytes, shift, "base64"), base64Core(bytes, shift, "base64url")]),
    ...hex,
    ...hex.map((form) => form.replace(/[a-f]/g, (digit) => digit.toUpperCase())),
  ];
}

/** Encoders differ in the characters that they leave (`!'()*`, a slash), in a blank as a plus, and in the case of digits. */
function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [encoded, strict, strict.replaceAll("%2F", "/"), strict.replaceAll("%20", "+")];
  return [...upper, ...upper.map((form) => form.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))];
}

/** The characters that are the same in base64 of every text with the secret at offset `shift` of a group of three bytes. */
function base64Core(secret: Buffer, shift: number, encoding: "base64" | "base64url"): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), secret]);
  return bytes.toString(encoding).slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

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
  assigned("password|(?<!/)passwd|passphrase|(?:api|access|secret|private|account|preshared)[-_]?key", "[=:]", "dgi"),
  assigned("(?:access|auth|refresh|private|session|client)[-_]?(?:token|secret)", "[=:]", "dgi"),
  assigned("[?&](?:token|key|sig|signature)", "=", "dgi"),
  assigned("TOKEN|SECRET|PASS|_KEY|CREDENTIALS?|COOKIE", "=", "dg"),
  /:\/\/[^\s:@/"'<>]{0,256}:(?<bare>[^\s/"'<>]+)@/dg,
  TOKEN,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/dg,
];

const BEGINS_A_SHAPE = [
  /authorization|bearer|cookie|passw|passphrase|key|token|secret|sig|:\/\/|-----/i,
  /TOKEN|SECRET|PASS|CREDENTIAL|COOKIE|eyJ/,
  BEGINS_A_TOKEN,
];

/** Whether more text on the same line could make a secret of a part of it that has no shape yet. */
export const mayBeginShape = (line: string): boolean => BEGINS_A_SHAPE.some((pattern) => pattern.test(line));

const findShapes = (text: string): Span[] => [
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

// Removes secrets from text before it is stored, logged or shown to a model (D-065): known values in all their encodings,
// and the shapes of well-known credentials. Redaction happens before truncation, so that a secret that reaches into the
// shown part is removed as a whole (D-064).

/**
 * Returns the text, or the `shown` part of it, without secrets. The text around that part is searched but never returned.
 * Idempotent; the result is at most three times as long.
 */
export type Redact = (text: string, shown?: Span) => string;

type Excerpt = { readonly text: string; readonly shown: Span };

/** A mark may join text that a blank in a secret separated. Only text made for this purpose needs more than two rounds. */
const MAX_ROUNDS = 8;

/** `secrets` are plain values. Those under 8 characters are ignored, because they would also match ordinary words. */
export function createRedactor(secrets: readonly string[]): Redact {
  const findKnown = findKnownValues(secrets);
  return (text, shown = { start: 0, end: text.length }) => {
    let excerpt: Excerpt = { text, shown };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = excerpt.text;
      const found = [...findKnown(before), ...findShapes(before)];
      if (found.length === 0) break;
      // A mark is a span too: a secret that overlaps it includes it, so that no part of a mark remains.
      excerpt = withMarks(excerpt, joined([...found, ...occurrences(before, MARK)]));
      if (excerpt.text === before) break;
    }
    return excerpt.text.slice(excerpt.shown.start, excerpt.shown.end).toWellFormed();
  };
}

type ShownOutput = { readonly text: string; readonly bytes: number; readonly truncated: boolean };

/** Output that was cut holds the text on both sides of its gap, which replaces the part from `start` to `end`. */
export type CutOutput = ShownOutput & {
  readonly beyond?: {
    readonly start: number;
    readonly end: number;
    readonly after_head: string;
    readonly before_tail: string;
  };
};

/**
 * Searches both sides of the gap together with the text next to them, which is then dropped, so that no half of a secret
 * remains at the cut (D-064). Output that was not cut is returned unchanged; it is redacted with the rest of its result.
 */
export function withoutMargin({ beyond, ...output }: CutOutput, redact: Redact): ShownOutput {
  if (beyond === undefined) return output;
  const { start, end, after_head, before_tail } = beyond;
  const head = redact(output.text.slice(0, start) + after_head, { start: 0, end: start });
  const tail = before_tail + output.text.slice(end);
  const rest = redact(tail, { start: before_tail.length, end: tail.length });
  return { ...output, text: head + output.text.slice(start, end) + rest };
}

/** The spans in order; overlapping spans become one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || start >= last.end) all.push({ start, end });
    else if (end > last.end) all[all.length - 1] = { start: last.start, end };
  }
  return all;
}

/** The mark of a span that reaches into the shown part belongs to the shown part. */
function withMarks({ text, shown }: Excerpt, spans: readonly Span[]): Excerpt {
  const around = (place: number) => spans.find(({ start, end }) => start < place && place < end);
  const start = around(shown.start)?.start ?? shown.start;
  const end = around(shown.end)?.end ?? shown.end;
  const before = marked(text, spans, { start: 0, end: start });
  const inside = marked(text, spans, { start, end });
  const after = marked(text, spans, { start: end, end: text.length });
  return { text: before + inside + after, shown: { start: before.length, end: before.length + inside.length } };
}

function marked(text: string, spans: readonly Span[], part: Span): string {
  const pieces: string[] = [];
  let { start } = part;
  for (const span of spans) {
    if (span.start < part.start || span.end > part.end) continue;
    pieces.push(text.slice(start, span.start), MARK);
    start = span.end;
  }
  return pieces.join("") + text.slice(start, part.end);
}

// Takes known secrets out of a text that is judged as code: no part of them is in what is quoted or computed from it (D-265).

type WithoutKnown = (text: string) => string;

/** Signs of the syntax stay where they are, also in a secret: without them the text would be judged as another program. */
const WORDS = /[^\s\\"'`$&|;<>(){}[\]*?!#/]+/g;
const WORD = "redacted";

/** As long as the text, because a program may cut a value by its length. */
const wordFor = ({ length }: string): string => WORD.repeat(Math.ceil(length / WORD.length)).slice(0, length);

export function createWithoutKnown(secrets: readonly string[]): WithoutKnown {
  const find = findKnownValues(secrets);
  return (text) => {
    const pieces: string[] = [];
    let end = 0;
    for (const span of joined(find(text))) {
      pieces.push(text.slice(end, span.start), text.slice(span.start, span.end).replace(WORDS, wordFor));
      end = span.end;
    }
    return pieces.join("") + text.slice(end);
  };
}

// Everything that removes the same secrets from texts.

export type Redaction = {
  readonly redact: Redact;
  /** Where a known secret begins that the text may end within: those that `redact` knows. */
  readonly beginningOf: (text: string) => number;
  /** Texts of scripts on disk as they are judged: without those secrets. */
  readonly withoutKnown: WithoutKnown;
};

export const redactionOf = (known: readonly string[]): Redaction => ({
  redact: createRedactor(known),
  beginningOf: findBeginning(known),
  withoutKnown: createWithoutKnown(known),
});
