// Matches a symbolic pattern against known text without backtracking: the set of reachable positions is carried along. The
// plain part of regular expressions becomes such a pattern: text from a command never becomes a RegExp.
import { ABSENT, BRACE, DEEP, FOREIGN, HELD, QUESTION, SET_CLOSE, SET_OPEN, SOME, STAR, UNKNOWN } from "./symbols.ts";

type Token = { readonly kind: "any" | "name" | "one" | "set" | "char"; readonly text: string };

const MARKERS = new Map<string, Token["kind"]>([
  [UNKNOWN, "any"],
  [FOREIGN, "any"],
  [HELD, "any"],
  [ABSENT, "any"],
  [DEEP, "any"],
  [BRACE, "any"],
  [STAR, "name"],
  [SOME, "name"],
  [QUESTION, "one"],
]);

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const close = char === SET_OPEN ? pattern.indexOf(SET_CLOSE, at) : -1;
    if (close > at) {
      tokens.push({ kind: "set", text: pattern.slice(at + 1, close) });
      at = close;
    } else tokens.push({ kind: MARKERS.get(char) ?? "char", text: char });
  }
  return tokens;
}

/** `[a-c]`, `[!x]`, `[^x]`. A class such as `[:alpha:]` counts as matching every character. */
function inSet(set: string, char: string): boolean {
  if (set.includes("[:")) return true;
  const negated = set.startsWith("!") || set.startsWith("^");
  const members = negated ? set.slice(1) : set;
  for (let at = 0; at < members.length; at += 1) {
    const last = members.charAt(at + 1) === "-" && at + 2 < members.length ? members.charAt(at + 2) : null;
    if (last === null ? members.charAt(at) === char : members.charAt(at) <= char && char <= last) return !negated;
    if (last !== null) at += 2;
  }
  return negated;
}

/** A pattern made ready to be asked more than once. */
export type Pattern = readonly Token[];

export function patternOf(text: string): Pattern {
  const ready = READY.get(text);
  if (ready !== undefined) return ready;
  if (READY.size >= MAX_READY) READY.clear();
  const pattern = tokensOf(text);
  READY.set(text, pattern);
  return pattern;
}

/** One path is asked about many times: as each device, and as each protected tree. */
const READY = new Map<string, Pattern>();
const MAX_READY = 64;

/** Ends of every match that starts at `from`, in order. `slashes`: `*` and `?` match a slash too, as in `${x%pattern}`. */
export function endsOf(pattern: Pattern, text: string, from = 0, slashes = false): readonly number[] {
  const ends: number[] = [];
  let reached = closure(new Set([0]), pattern);
  for (let at = from; ; at += 1) {
    if (reached.has(pattern.length)) ends.push(at);
    if (at >= text.length || reached.size === 0) return ends;
    reached = closure(advanced(reached, pattern, text.charAt(at), slashes), pattern);
  }
}

function advanced(reached: ReadonlySet<number>, pattern: Pattern, char: string, slashes: boolean): Set<number> {
  const next = new Set<number>();
  const slash = char === "/" && !slashes;
  for (const at of reached) {
    const token = pattern[at];
    if (token === undefined) continue;
    if (token.kind === "any" || (token.kind === "name" && !slash)) next.add(at);
    else if (accepts(token, char, slash)) next.add(at + 1);
  }
  return next;
}

function accepts(token: Token, char: string, slash: boolean): boolean {
  if (token.kind === "one") return !slash;
  return token.kind === "set" ? !slash && inSet(token.text, char) : token.kind === "char" && token.text === char;
}

export const accepted = (pattern: Pattern, text: string, slashes = false): boolean =>
  endsOf(pattern, text, 0, slashes).at(-1) === text.length;

export const matches = (pattern: string, text: string, slashes = false): boolean =>
  accepted(patternOf(pattern), text, slashes);

/** `any` and `name` may match nothing, so a position before one is also a position after it. */
function closure(positions: Set<number>, tokens: Pattern): Set<number> {
  for (const at of positions) {
    const kind = tokens[at]?.kind;
    if (kind === "any" || kind === "name") positions.add(at + 1);
  }
  return positions;
}

/** `atStart`, `atEnd`: it matches only there. */
export type PlainRegex = { readonly pattern: string; readonly atStart: boolean; readonly atEnd: boolean };

/** Null for what is not plain: groups, alternatives, repetition of anything but a dot. */
export function plainRegex(source: string, extended = false): PlainRegex | null {
  const atStart = source.startsWith("^");
  const atEnd = source.endsWith("$") && !source.endsWith("\\$");
  const body = source.slice(atStart ? 1 : 0, atEnd ? -1 : undefined);
  let pattern = "";
  for (let at = 0; at < body.length; at += 1) {
    const char = body.charAt(at);
    if (char === "\\") {
      at += 1;
      const escaped = body.charAt(at);
      if (/[A-Za-z0-9<>]/.test(escaped) || (!extended && /[(){}|+?]/.test(escaped))) return null;
      pattern += escaped;
    } else if (char === ".") {
      const many = body.charAt(at + 1) === "*";
      pattern += many ? STAR : QUESTION;
      at += many ? 1 : 0;
    } else if (char === "[") {
      const close = body.indexOf("]", at + 2);
      if (close < 0) return null;
      pattern += `${SET_OPEN}${body.slice(at + 1, close)}${SET_CLOSE}`;
      at = close;
    } else if (char === "*" || (extended && /[(){}|+?]/.test(char))) return null;
    else pattern += char;
  }
  return { pattern, atStart, atEnd };
}
