// Reads and writes JSON without a schema, because the flow's script has none: types of values, the faults of a text that a parser
// does not report, and the canonical form of RFC 8785 (JCS), in which equal values have equal text and equal digests.
import type { FieldIssue } from "./errors.ts";

export type JsonFields = Readonly<Record<string, unknown>>;
export type JsonTexts = Readonly<Record<string, string>>;

export const isRecord = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isTexts = (value: unknown): value is JsonTexts =>
  isRecord(value) && Object.values(value).every((text) => typeof text === "string");

/** Walks without recursion, so that no nesting can exhaust the stack. */
export function isDeeperThan(root: unknown, levels: number): boolean {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= levels) return true;
    for (const held of Object.values(value)) pending.push({ value: held, depth: depth + 1 });
  }
  return false;
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text that is not JSON stays text. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/**
 * `value` holds JSON values; a member that is undefined is left out. JSON.stringify already writes numbers and strings in
 * the canonical form, but orders keys that look like array indices by number. A lone surrogate, which RFC 8785 refuses, is
 * escaped.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let members = "";
  // The default order is that of UTF-16 code units, as RFC 8785 asks.
  for (const key of Object.keys(value).sort()) {
    const held: unknown = value[key as keyof typeof value];
    if (held === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(held)}`;
  }
  return `{${members}}`;
}

// What a JSON parser does not say of a text: that it nests too deep, that a field is there twice, that a number becomes another
// one. Reads the text once, before it is parsed, and knows the path of what it finds.

/** An open array with its position in it, or an open object with its fields so far. */
type Place = { index: number } | { key: string; readonly keys: Set<string> };

const NUMBER = /\d+(\.\d+)?([eE][+-]?\d+)?/y;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/**
 * The first such fault, with keys as written in the text and a path as in `payload.steps.0`; null when there is none. For a
 * text that is not JSON the result is arbitrary: the parser refuses the text.
 */
export const jsonTextIssue = (text: string, max_depth: number): FieldIssue | null =>
  firstIssue(text, { max_depth, exact_numbers: true });

/** Undefined when the text is not JSON, and when two fields have one name: readers differ on which of them counts. */
export function parseStrictJson(text: string): unknown {
  const value = parseJson(text);
  return value === undefined || doubledField(text) !== null ? undefined : value;
}

/** The path of the first field that is there twice; null when there is none. The text is JSON. */
export const doubledField = (text: string): string | null =>
  firstIssue(text, { max_depth: Number.POSITIVE_INFINITY, exact_numbers: false })?.path ?? null;

type Wanted = { readonly max_depth: number; readonly exact_numbers: boolean };

function firstIssue(text: string, { max_depth, exact_numbers }: Wanted): FieldIssue | null {
  const places: Place[] = [];
  let last = "";
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at + 1);
        last = text.slice(at + 1, end);
        at = end;
        break;
      }
      case ":": {
        const place = places.at(-1);
        if (place !== undefined && "keys" in place && !isNew(place, last))
          return { path: pathOf(places), message: "is there twice; two fields of the same name, leave one" };
        break;
      }
      case ",": {
        const place = places.at(-1);
        if (place !== undefined && "index" in place) place.index += 1;
        break;
      }
      case "[":
      case "{":
        if (places.length >= max_depth)
          return { path: pathOf(places), message: `is nested deeper than ${max_depth} levels; flatten it` };
        places.push(text[at] === "[" ? { index: 0 } : { key: "", keys: new Set() });
        break;
      case "]":
      case "}":
        places.pop();
        break;
      default: {
        const number = exact_numbers ? numberAt(text, at) : null;
        if (number === null) break;
        const message = numberIssue(number);
        if (message !== null) return { path: pathOf(places), message };
        at += number.startsWith("-") ? number.length - 2 : number.length - 1;
      }
    }
  }
  return null;
}

const pathOf = (places: readonly Place[]): string =>
  places.map((place) => ("index" in place ? place.index : place.key)).join(".");

function isNew(place: { key: string; readonly keys: Set<string> }, written: string): boolean {
  place.key = written;
  const key = unescaped(written);
  if (place.keys.has(key)) return false;
  place.keys.add(key);
  return true;
}

/** Two ways of writing a key are one key. */
function unescaped(written: string): string {
  if (!written.includes("\\")) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

/** Null where no digit is. The sign is before it. */
function numberAt(text: string, at: number): string | null {
  const first = text.charCodeAt(at);
  if (first < DIGIT_0 || first > DIGIT_9) return null;
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0] ?? null;
  return number !== null && text[at - 1] === "-" ? `-${number}` : number;
}

/** What is wrong with a number as it is written, in JSON or YAML; null when nothing is. */
export const numberIssue = (number: string): string | null =>
  isExact(number) ? null : `is a number that JSON programs change (${number.slice(0, 40)}); send it as text`;

const WHOLE = /^([-+]?(?:0x[\da-f]+|0o[0-7]+|\d+))(?:\.0*)?$/i;

/** Fractions are approximate by nature. A whole number that becomes another one is a fault, and so is a fraction that becomes 0. */
function isExact(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^[^e]*[1-9]/i.test(number);
  const whole = WHOLE.exec(number)?.[1];
  return whole === undefined || String(value) === whole || BigInt(whole) === BigInt(value);
}

/** Where the string that begins at `start` is closed: at a quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
