// What the operators of a parameter expansion make of its text: slices, `%`, `#`, `/`, change of case.
import type { ParameterOperation, Word } from "unbash";
import { accepted, endsOf, patternOf } from "../words/glob.ts";
import { isOpen, onlyOf, UNKNOWN } from "../words/symbols.ts";
import type { ExpansionScope } from "./machine.ts";

const MAX_SCAN = 256;

/** The start of a text may be known although its end is not: `${PATH:0:1}`. */
export function sliceOfOpen(operation: ParameterOperation, value: string, edit: (value: string) => string): string {
  const known = value.search(/[\uFDD0-\uFDD8]/);
  if (operation.type !== "Slice" || operation.length === undefined) return UNKNOWN;
  const result = edit(value);
  return known > 0 && value.indexOf(result) + result.length <= known ? result : UNKNOWN;
}

export function editOf(
  operation: ParameterOperation,
  scope: ExpansionScope,
  numberOf: (word: Word) => number | null,
): (value: string) => string {
  // Classes and extended patterns are taken for more than they match, which is no way to compute a text.
  const pattern = (word: Word): string => (/\[:|[?*+@!]\(/.test(word.text) ? UNKNOWN : onlyOf(scope.text(word)));
  if (operation.type === "Slice") {
    const from = numberOf(operation.offset);
    const count = operation.length === undefined ? null : numberOf(operation.length);
    if (from === null || (operation.length !== undefined && count === null)) return () => UNKNOWN;
    return (value) => sliced(value, from, count);
  }
  if (operation.type === "Remove") {
    const removed = pattern(operation.operand);
    return (value) => trimmed(value, removed, operation.operator);
  }
  if (operation.type === "Replace") {
    const [from, to] = [pattern(operation.pattern), onlyOf(scope.text(operation.replacement))];
    return (value) => replaced(value, from, to, operation.operator);
  }
  if (operation.type === "CaseModification") {
    const allowed = operation.operand === undefined ? null : pattern(operation.operand);
    return (value) => recased(value, operation.operator, allowed);
  }
  if (operation.type === "Unknown" && /^~~?$/.test(operation.operator))
    return (value) => recased(value, operation.operator, null);
  return () => UNKNOWN;
}

function sliced(value: string, from: number, count: number | null): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  const end = count === null ? value.length : count < 0 ? value.length + count : start + count;
  return value.slice(start, end);
}

/** `^`, `,` and `~`, once or doubled; a pattern selects the characters that change. */
function recased(value: string, operator: string, allowed: string | null): string {
  if (allowed !== null && isOpen(allowed)) return UNKNOWN;
  const pattern = allowed === null || allowed === "" ? null : patternOf(allowed);
  const change = (char: string) => {
    if (pattern !== null && !accepted(pattern, char, true)) return char;
    if (operator.startsWith("^")) return char.toUpperCase();
    if (operator.startsWith(",")) return char.toLowerCase();
    return char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase();
  };
  return operator.length === 2 ? [...value].map(change).join("") : change(value.slice(0, 1)) + value.slice(1);
}

/** Matching a pattern from every place of a text takes the square of its length. */
export const costOf = (values: readonly string[]): number =>
  values.reduce((sum, value) => sum + value.length ** 2 / 256, 0);

function trimmed(value: string, pattern: string, operator: string): string {
  if (isOpen(pattern) || value.length > MAX_SCAN) return UNKNOWN;
  const ready = patternOf(pattern);
  const longest = operator.length === 2;
  if (operator.startsWith("#")) {
    const ends = endsOf(ready, value, 0, true);
    return value.slice((longest ? ends.at(-1) : ends[0]) ?? 0);
  }
  const starts = Array.from({ length: value.length + 1 }, (_, n) => n);
  if (!longest) starts.reverse();
  return value.slice(
    0,
    starts.find((start) => accepted(ready, value.slice(start), true)),
  );
}

function replaced(value: string, pattern: string, to: string, operator: string): string {
  if (isOpen(pattern) || value.length > MAX_SCAN) return UNKNOWN;
  if (pattern === "") return operator === "/#" ? to + value : operator === "/%" ? value + to : value;
  const ready = patternOf(pattern);
  let result = "";
  for (let at = 0; at < value.length; ) {
    const ends = at > 0 && operator === "/#" ? [] : endsOf(ready, value, at, true);
    const end = ends.findLast((found) => found > at && (operator !== "/%" || found === value.length)) ?? at;
    result += end === at ? value.charAt(at) : to.replaceAll("&", () => value.slice(at, end));
    if (end > at && operator === "/") return result + value.slice(end);
    at = Math.max(end, at + 1);
  }
  return result;
}
