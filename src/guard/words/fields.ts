// Turns the source of a word into its fields, with brace expansion and splitting at IFS: literal text without backslashes, what
// stays together, what splits, and every combination of choices.
import { ABSENT, BRACE, isUnknown, MAX_ALTERNATIVES, SET_CLOSE, SET_OPEN, unknownFrom } from "./symbols.ts";

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

const textsOf = (options: Choices): readonly string[] =>
  options.flatMap((pieces) => pieces.flatMap((one) => ("text" in one ? [one.text] : one.items)));

const leastKnown = (options: Choices): readonly Piece[] =>
  options.find(([only]) => only !== undefined && "text" in only && only.text === ABSENT) ?? [
    kept(unknownFrom(textsOf(options))),
  ];

/** Without a value and with any: of a part that is a variable which was never assigned. */
export const isUnset = ([first = [], second = [], ...others]: readonly (readonly string[])[]): boolean =>
  others.length === 0 &&
  second.some((text) => text.includes(ABSENT)) &&
  filled(first) === filled(second.map((text) => text.replaceAll(ABSENT, "")));

const filled = (texts: readonly string[]): string => texts.filter((text) => text !== "").join("\0");

/** Variables that were never assigned are all without a value, or where the text is run elsewhere each may have any. */
export function together<T>(choices: readonly (readonly T[])[], isIt: (options: readonly T[]) => boolean) {
  const unset = choices.map(isIt);
  if (unset.filter((is) => is).length < 2) return [choices];
  const withAll = (place: 0 | 1) =>
    choices.map((options, at) => (unset[at] === true ? options.slice(place, place + 1) : options));
  return [withAll(0), withAll(1)];
}

const isUnsetPart = (options: Choices): boolean =>
  options.length === 2 && isUnset(options.map((pieces) => pieces.map((one) => ("text" in one ? one.text : "\0"))));

/** Every choice of the first with every choice of the second and so on; past the bound a part becomes unknown. */
export const product = (choices: readonly Choices[]): Choices => together(choices, isUnsetPart).flatMap(everyLine);

function everyLine(choices: readonly Choices[]): Choices {
  let lines: Piece[][] = [[]];
  for (const given of choices) {
    const options = choices.length > MAX_VARYING && given.length > 1 ? [leastKnown(given)] : given;
    const [only = [], ...others] =
      lines.length * options.length > MAX_ALTERNATIVES ? [[kept(unknownFrom(textsOf(options)))]] : options;
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

const MAX_WORDS = 64;

/**
 * Brace expansion, which bash does on the source text of a word before anything else. `parts` are the raw pieces of one word in
 * order; those marked `brace` are `{...}` groups. Returns the words the text expands to, as source text to be parsed again, or
 * null when there are more than can be looked at.
 */
export function expandBraces(parts: readonly { raw: string; brace: boolean }[]): readonly string[] | null {
  let words: readonly string[] = [""];
  for (const { raw, brace } of parts) {
    const choices = brace ? choicesOf(raw) : [raw];
    if (choices === null || words.length * choices.length > MAX_WORDS) return null;
    words = words.flatMap((word) => choices.map((choice) => word + choice));
  }
  return words;
}

function choicesOf(group: string): readonly string[] | null {
  const inner = group.slice(1, -1);
  const choices = splitTop(inner);
  return choices.length > 1 ? choices : sequence(inner);
}

/** Splits at commas that stand outside quotes, escapes and inner parentheses or braces. */
function splitTop(text: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\" && quote !== "'") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"' || char === "`") quote = char;
    else if (char === "{" || char === "(") depth += 1;
    else if (char === "}" || char === ")") depth -= 1;
    else if (char === "," && depth === 0) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...choices, text.slice(from)];
}

/** `1..5`, `a..e`, `0..10..2`. Anything else is kept as text. */
function sequence(inner: string): readonly string[] | null {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const [, first = "", last = "", step = "1"] = match ?? [];
  if (match === null || /\d/.test(first) !== /\d/.test(last)) return [`\\{${inner}}`];
  const numeric = /\d/.test(first);
  const from = numeric ? Number(first) : first.charCodeAt(0);
  const to = numeric ? Number(last) : last.charCodeAt(0);
  const stride = Math.max(1, Math.abs(Number(step)));
  const count = Math.floor(Math.abs(to - from) / stride) + 1;
  if (count > MAX_WORDS) return null;
  const width = /^-?0\d|^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, n) => {
    const value = from + Math.sign(to - from) * n * stride;
    return numeric ? String(value).padStart(width, "0") : String.fromCharCode(value);
  });
}

type Separators = { readonly all: RegExp; readonly leading: RegExp; readonly trailing: RegExp; readonly hard: RegExp };

const NEVER = /(?!)/;
const held = new Map<string, Separators>();
const MAX_HELD = 32;

/** What separates for these characters: anywhere, blanks at the start and at the end, and a start that ends an empty field. */
function separatorsOf(ifs: string): Separators {
  const known = held.get(ifs);
  if (known !== undefined) return known;
  const set = (characters: string): string =>
    characters === "" ? "(?!)" : `[${characters.replace(/[\\\]^-]/g, "\\$&")}]`;
  const blank = set(ifs.replace(/[^ \t\n]/g, ""));
  const other = set(ifs.replace(/[ \t\n]/g, ""));
  const separators =
    ifs === ""
      ? { all: NEVER, leading: NEVER, trailing: NEVER, hard: NEVER }
      : {
          all: new RegExp(`(?:${blank})*${other}(?:${blank})*|(?:${blank})+`),
          leading: new RegExp(`^(?:${blank})+`),
          trailing: new RegExp(`(?:${blank})+$`),
          hard: new RegExp(`^(?:${blank})*${other}`),
        };
  if (held.size < MAX_HELD) held.set(ifs, separators);
  return separators;
}

/** An empty text at either end says that the text begins or ends with a separator. */
function splitAt(text: string, ifs: string): readonly string[] {
  return ifs === "" || text === "" ? [text] : text.split(separatorsOf(ifs).all);
}

/** Whether the first separator ends a field, although nothing is before it. */
const startsWithField = (text: string, ifs: string): boolean => separatorsOf(ifs).hard.test(text);

/**
 * How a shell splits text at IFS: blanks of it in a row are one separator, and each other character of it is one. The fields of a
 * line that `read` gives to so many names. The last one is the rest of the line, separators and all.
 */
export function fieldsOfLine(line: string, ifs: string, count: number): readonly string[] {
  const { all, leading, trailing } = separatorsOf(ifs);
  let rest = line.replace(leading, "");
  const fields: string[] = [];
  while (fields.length < count - 1) {
    const match = all.exec(rest);
    const field = rest.slice(0, match?.index);
    fields.push(field);
    // A separator may be in what is not known, and then anything follows it.
    rest = isUnknown(field) ? unknownFrom([line]) : match === null ? "" : rest.slice(match.index + match[0].length);
  }
  const whole = rest.replace(trailing, "");
  const [only = "", after, ...others] = whole.split(all);
  return [...fields, after === "" && others.length === 0 ? only : whole];
}
