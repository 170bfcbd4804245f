// Finds secrets whose values are known: plain, URL-encoded, in JSON, in base64 of any text that contains them, in hex (D-065).
// It ignores blanks and backslashes, so that wrapped base64, hex dumps, `\/` and JSON inside JSON match as well.
import { MARK, occurrences, type Span } from "./span.ts";

/** Shorter values would also hide ordinary words. */
const MIN_LENGTH = 8;

const withoutBlanks = (text: string): string => text.replace(/[\s\\]+/g, "");

export function findKnownValues(values: readonly string[]): (text: string) => Span[] {
  // A secret that is part of the mark would match in every mark.
  const secrets = [...new Set(values)].filter(isWorthHiding);
  const forms = [...new Set(secrets.flatMap(formsOf).map(withoutBlanks))].filter(isWorthHiding);
  return (text) => {
    const dense = withoutBlanks(text);
    const found = forms.flatMap((form) => occurrences(dense, form));
    // A value of almost only blanks has no dense form.
    return [...secrets.flatMap((secret) => occurrences(text, secret)), ...spread(found, text)];
  };
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
