// From the source of a word to its fields: literal text without backslashes, what stays together, what splits at IFS, and
// every combination of choices.
import { splitAt, startsWithField } from "./splitting.ts";
import { ABSENT, BRACE, MAX_ALTERNATIVES, SET_CLOSE, SET_OPEN, UNKNOWN } from "./symbols.ts";

/** Unquoted text. `braces`: whether bash would look for a brace expansion here; it does not in an assignment. */
export function unescaped(raw: string, braces: boolean): string {
  if (!/[\\{]/.test(raw)) return raw;
  let text = "";
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === "\\") {
      at += 1;
      if (raw.charAt(at) !== "\n") text += raw.charAt(at);
    } else text += braces && char === "{" && /,|\.\./.test(raw.slice(at)) ? BRACE : char;
  }
  return text;
}

/** The body of a here-document whose delimiter is not quoted, where it holds no expansion. */
export const unescapedBody = (raw: string): string => raw.replace(/\\([$`\\])|\\\n/g, "$1");

/**
 * `echo 1<(cmd)` runs cmd, and the parser takes the word for a literal (its known defect). The text inside the
 * parentheses, or null.
 */
export function hiddenProcess(raw: string): string | null {
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === "\\") at += 1;
    else if ((char === "<" || char === ">") && raw.charAt(at + 1) === "(") {
      const close = raw.lastIndexOf(")");
      return raw.slice(at + 2, close > at ? close : raw.length);
    }
  }
  return null;
}

/** `[a-z]` as the source spells it, quotes inside taken away. */
export const bracket = (raw: string): string => `${SET_OPEN}${raw.slice(1, -1).replace(/["'\\]/g, "")}${SET_CLOSE}`;

/** A piece of a word: text that stays together, text that splits at IFS, or the fields of a list such as "$@". */
export type Piece = { readonly text: string; readonly split: boolean } | { readonly items: readonly string[] };
export type Fields = readonly string[];
/** Alternatives of a part of a word, each a run of pieces. */
export type Choices = readonly (readonly Piece[])[];

export const kept = (text: string): Piece => ({ text, split: false });

/** Words of more parts than this have one value each. */
const MAX_VARYING = 64;

const leastKnown = (options: Choices): readonly Piece[] =>
  options.find(([only]) => only !== undefined && "text" in only && only.text === ABSENT) ?? [kept(UNKNOWN)];

/** Every choice of the first with every choice of the second and so on; past the bound a part becomes unknown. */
export function product(choices: readonly Choices[]): Choices {
  let lines: Piece[][] = [[]];
  for (const given of choices) {
    const options = choices.length > MAX_VARYING && given.length > 1 ? [leastKnown(given)] : given;
    const [only = [], ...others] = lines.length * options.length > MAX_ALTERNATIVES ? [[kept(UNKNOWN)]] : options;
    if (others.length === 0) for (const line of lines) line.push(...only);
    else lines = lines.flatMap((line) => [only, ...others].map((option) => [...line, ...option]));
  }
  return lines;
}

export function fieldsOf(pieces: readonly Piece[], ifs: string): Fields {
  const fields: string[] = [];
  let open: string | null = null;
  for (const held of pieces) {
    const parts: readonly string[] = "items" in held ? held.items : held.split ? splitAt(held.text, ifs) : [held.text];
    for (const [at, text] of parts.entries()) {
      if (at === 0) open = open === null && text === "" && isNoField(held, ifs) ? null : (open ?? "") + text;
      else {
        if (open !== null) fields.push(open);
        open = text === "" && pieceSplits(held) && at === parts.length - 1 ? null : text;
      }
    }
  }
  if (open !== null) fields.push(open);
  return fields;
}

const pieceSplits = (held: Piece): boolean => "split" in held && held.split;

/** Nothing comes before its first separator, which does not end an empty field either. */
const isNoField = (held: Piece, ifs: string): boolean =>
  "split" in held && held.split && !startsWithField(held.text, ifs);
