// Symbolic text: an ordinary string in which a few Unicode noncharacters stand for what the text alone cannot tell.
// Source text is scrubbed of them first, so a marker always means what is said here.

/** A place in an array that was never assigned: no item at all. */
export const HOLE = "\uFDD9";

/** Any text at all, the empty one included: what the machine shows of itself, which is data. */
export const UNKNOWN = "\uFDD0";
/** Any text at all that another host, the payload or a file of unknown writing decides. Its author may mean it as code. */
export const FOREIGN = "\uFDDA";
/** What a file held before the commands: where the file is run, that is what it would have run without them. */
export const HELD = "\uFDDB";
/**
 * The value of a variable that nothing in the program assigned: empty where orch runs it, since it builds the environment,
 * unless a file of this machine that was sourced has assigned it.
 * In the words of a command it counts as unknown; in text that a shell runs it is no code.
 */
export const ABSENT = "\uFDD8";
/** An unknown plain word: a number, a date, a random name. No slash, no blank, nothing special to a shell. */
export const SOME = "\uFDD1";
/** Every path below the one before it, as `find` prints them. */
export const DEEP = "\uFDD2";
/** Unquoted `*`, `?`, `[` and `]`, which bash would match against file names. */
export const STAR = "\uFDD3";
export const QUESTION = "\uFDD4";
export const SET_OPEN = "\uFDD5";
export const SET_CLOSE = "\uFDD6";
/** An unquoted `{` that bash may expand although the parser saw no brace expansion. */
export const BRACE = "\uFDD7";

const SHOWN = new Map([
  [UNKNOWN, "<unknown>"],
  [FOREIGN, "<unknown>"],
  [HELD, "<unknown>"],
  [ABSENT, "<unset>"],
  [SOME, "<word>"],
  [DEEP, "<everything below>"],
  [STAR, "*"],
  [QUESTION, "?"],
  [SET_OPEN, "["],
  [SET_CLOSE, "]"],
  [BRACE, "{"],
]);

const MAX_TEXT = 65_536;
const MAX_VARIANTS = 16_384;
export const MAX_ALTERNATIVES = 32;
const MAX_SHOWN = 400;

export const scrub = (text: string): string => text.replace(/[\uFDD0-\uFDEF]/g, "\uFFFD");

/** Whether the text contains a marker in whose place other text may be. */
export const isOpen = (text: string): boolean => /[\uFDD0-\uFDD2\uFDD7\uFDD8\uFDDA\uFDDB]/.test(text);

export const isUnknown = (text: string): boolean => /[\uFDD0\uFDD7\uFDD8\uFDDA\uFDDB]/.test(text);

/** Whether nothing at all is known of the text. */
export const isAnything = (text: string): boolean => text === UNKNOWN || text === FOREIGN;

export const startsUnknown = (text: string): boolean => text.startsWith(UNKNOWN) || text.startsWith(FOREIGN);

const endsUnknown = (text: string): boolean => text.endsWith(UNKNOWN) || text.endsWith(FOREIGN);

export const isForeign = (text: string): boolean => text.includes(FOREIGN);

/** Unknown text that was made of these. */
export const unknownFrom = (texts: Iterable<string>): string => ([...texts].some(isForeign) ? FOREIGN : UNKNOWN);

/** The text, with all that is not known in it decided by somebody else. */
export const asForeign = (text: string): string => text.replaceAll(UNKNOWN, FOREIGN);

/** The text of a file, for those who do not run it. */
export const asRead = (text: string): string => (text.includes(HELD) ? text.replaceAll(HELD, UNKNOWN) : text);

/** The text without its origin. */
export const ofAnyOrigin = (text: string): string => asRead(text).replaceAll(FOREIGN, UNKNOWN);

/** Words as a command sees them. */
export const settled = (text: string): string => (text.includes(ABSENT) ? text.replaceAll(ABSENT, UNKNOWN) : text);

export const hasGlob = (text: string): boolean =>
  text.includes(STAR) || text.includes(QUESTION) || text.includes(SET_OPEN) || text.includes(DEEP);

const spelled = (text: string): string =>
  text.replace(/[\uFDD0-\uFDD8\uFDDA\uFDDB]/g, (marker) => SHOWN.get(marker) ?? marker);

/** For messages: the markers in words, cut to a length one can read. */
export function readable(text: string): string {
  if (text.length <= MAX_SHOWN) return spelled(text);
  // A part of a text keeps all of it in memory, and a copy does not.
  const start = Array.from(text.slice(0, MAX_SHOWN)).join("");
  return `${spelled(start)}...`;
}

/** What an unquoted expansion becomes: its glob characters match file names from here on. */
export const globbed = (text: string): string =>
  text
    .replace(/\[([^[\]]+)\]/g, `${SET_OPEN}$1${SET_CLOSE}`)
    .replaceAll("*", STAR)
    .replaceAll("?", QUESTION);

/** The characters themselves, for programs that read a pattern or a plain argument. */
export const unglobbed = (text: string): string =>
  /[\uFDD3-\uFDD6]/.test(text) ? text.replace(/[\uFDD3-\uFDD6]/g, (marker) => SHOWN.get(marker) ?? marker) : text;

/** Distinct values, bounded: past the bound one of them is not known. */
export function alternatives(values: readonly string[]): readonly string[] {
  const distinct = new Set<string>();
  for (const value of values) {
    if (distinct.size >= MAX_ALTERNATIVES) return [...distinct, unknownFrom(values)];
    distinct.add(value.length > MAX_TEXT ? unknownFrom([value]) : value);
  }
  return [...distinct];
}

/** The only one of the values; unknown text where there are more, or none. */
export const onlyOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? "") : unknownFrom(values);

/** Every text of `first` followed by every text of `second`. */
export function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (first.length === 1 && first[0] === "") return second;
  const many = first.length * second.length > 1;
  // Long texts in many variants would take the square of their length.
  const long = many && first.length * (first[0] ?? "").length > MAX_VARIANTS;
  return alternatives(
    (long ? [unknownFrom(first)] : first).flatMap((before) => second.map((after) => glued(before, after))),
  );
}

/** Unknown text after unknown text is unknown text. */
const glued = (before: string, after: string): string =>
  endsUnknown(before) && startsUnknown(after)
    ? before.slice(0, -1) + unknownFrom([before.slice(-1), after.slice(0, 1)]) + after.slice(1)
    : before + after;

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
