// Parameter expansion: `$x`, `${x:-y}`, `${x%y}`, `${x/y/z}`, `${x:1:2}` and their relatives over symbolic text.
import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { accepted, endsOf, patternOf } from "./glob.ts";
import type { Machine } from "./machine.ts";
import { entered, fork, type State, targetOf } from "./state.ts";
import { alternatives, isOpen, quoted, SOME, UNKNOWN } from "./symbols.ts";

/** `text` expands a word to its alternatives without splitting it into fields. */
export type Scope = {
  readonly state: State;
  readonly machine: Machine;
  readonly text: (word: Word) => readonly string[];
};

const MAX_SCAN = 256;

/** Alternatives of `$name`. Never assigned means not known: the environment of a step may hold it. */
export function valueOfName(name: string, state: State): readonly string[] {
  if (name === "PWD") return state.cwd;
  if (name === "0") return [state.name];
  if (name === "@" || name === "*") return [state.positional.join(" ")];
  if (/^\d+$/.test(name)) return [state.positional[Number(name) - 1] ?? (state.depth === 0 ? UNKNOWN : "")];
  if (/^[#?$!-]$/.test(name)) return [SOME];
  const target = targetOf(state, name);
  const items = state.arrays.get(target);
  return items === undefined ? (state.vars.get(target) ?? [UNKNOWN]) : [items[0] ?? ""];
}

/** The list behind `$@`, `${@:2}` or `${a[@]}`; null for a parameter that is one text. */
export function listOf(part: ParameterExpansionPart, scope: Scope): readonly string[] | null {
  if (part.prefix !== undefined) return null;
  const all = part.parameter === "@" || part.parameter === "*";
  const indexed = part.index?.text === "@" || part.index?.text === "*";
  if (!all && !indexed) return null;
  const { state } = scope;
  const name = targetOf(state, part.parameter);
  const items = all ? state.positional : (state.arrays.get(name) ?? [...valueOfName(name, state)]);
  if (part.operation === undefined) return items;
  if (part.operation.type !== "Slice") return null;
  const from = numberOf(part.operation.offset, scope);
  const count = part.operation.length === undefined ? items.length : numberOf(part.operation.length, scope);
  if (from === null || count === null) return [UNKNOWN];
  const start = all ? Math.max(0, from - 1) : from;
  return items.slice(start, start + count);
}

export function expandParameter(part: ParameterExpansionPart, scope: Scope): readonly string[] {
  const { state } = scope;
  let values = part.index === undefined ? valueOfName(part.parameter, state) : elements(part, scope);
  if (part.prefix === "#") return [SOME];
  if (part.prefix === "!") values = alternatives(values.flatMap((name) => valueOfName(name, state)));
  return part.operation === undefined ? values : applied(part, part.operation, values, scope);
}

function elements(part: ParameterExpansionPart, scope: Scope): readonly string[] {
  const items = scope.state.arrays.get(targetOf(scope.state, part.parameter));
  const at = part.index === undefined ? null : numberOf(part.index, scope);
  if (items === undefined) return at === 0 ? valueOfName(part.parameter, scope.state) : [UNKNOWN];
  if (at === null) return alternatives([...items, UNKNOWN]);
  return [items.at(at) ?? ""];
}

function numberOf(word: Word, scope: Scope): number | null {
  const [text, ...others] = scope.text(word);
  return others.length === 0 && text !== undefined && /^\s*-?\d{1,6}$/.test(text) ? Number(text) : null;
}

function applied(
  part: ParameterExpansionPart,
  operation: ParameterOperation,
  values: readonly string[],
  scope: Scope,
): readonly string[] {
  if (operation.type === "Default") {
    return alternatives(
      values.flatMap((value) => defaulted(part.parameter, operation.operator, value, scope, operation.operand)),
    );
  }
  if (operation.type === "Transform") return transformed(scope.text(operation.operand)[0] ?? "", values, scope);
  if (!scope.machine.tick(costOf(values))) return [UNKNOWN];
  const edit = editOf(operation, scope);
  return alternatives(values.map((value) => (isOpen(value) ? sliceOfOpen(operation, value, edit) : edit(value))));
}

function defaulted(name: string, operator: string, value: string, scope: Scope, operand: Word): readonly string[] {
  const unset = scope.state.sealed && value === UNKNOWN && /^[A-Za-z_]/.test(name) && !isAssigned(name, scope.state);
  const open = isOpen(value) && !unset;
  const empty = value === "" || unset;
  if (operator.endsWith("?")) return [value];
  if (operator.endsWith("+")) return open ? ["", ...scope.text(operand)] : empty ? [""] : scope.text(operand);
  const falls = open || unset || (empty && operator.startsWith(":"));
  if (!falls) return [value];
  const others = scope.text(operand);
  const result = open ? [value, ...others] : others;
  if (operator.endsWith("=")) scope.state.vars = entered(scope.state.vars, name, alternatives(result));
  return result;
}

function isAssigned(given: string, { vars, arrays }: State): boolean {
  return vars.has(given) || arrays.has(given);
}

/** `${x@P}` expands the value as a prompt: a command substitution in it runs. */
function transformed(operator: string, values: readonly string[], scope: Scope): readonly string[] {
  if (operator === "P") {
    for (const value of values) scope.machine.runText(`: "${value.replaceAll('"', '\\"')}"`, fork(scope.state));
  }
  if (operator === "U") return values.map((value) => value.toUpperCase());
  if (operator === "L") return values.map((value) => value.toLowerCase());
  return operator === "Q" ? values.map(quoted) : [UNKNOWN];
}

/** The start of a text may be known although its end is not: `${PATH:0:1}`. */
function sliceOfOpen(operation: ParameterOperation, value: string, edit: (value: string) => string): string {
  const known = value.search(/[\uFDD0-\uFDD7]/);
  if (operation.type !== "Slice" || operation.length === undefined) return UNKNOWN;
  const result = edit(value);
  return known > 0 && value.indexOf(result) + result.length <= known ? result : UNKNOWN;
}

function editOf(operation: ParameterOperation, scope: Scope): (value: string) => string {
  const pattern = (word: Word): string => only(scope.text(word));
  if (operation.type === "Slice") {
    const from = numberOf(operation.offset, scope);
    const count = operation.length === undefined ? null : numberOf(operation.length, scope);
    if (from === null || (operation.length !== undefined && count === null)) return () => UNKNOWN;
    return (value) => sliced(value, from, count);
  }
  if (operation.type === "Remove") {
    const removed = pattern(operation.operand);
    return (value) => trimmed(value, removed, operation.operator);
  }
  if (operation.type === "Replace") {
    const [from, to] = [pattern(operation.pattern), only(scope.text(operation.replacement))];
    return (value) => replaced(value, from, to, operation.operator);
  }
  if (operation.type === "CaseModification" && operation.operand === undefined) {
    const { operator } = operation;
    const change = (text: string) => (operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase());
    return (value) => (operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1));
  }
  return () => UNKNOWN;
}

const only = (values: readonly string[]): string => (values.length === 1 ? (values[0] ?? "") : UNKNOWN);

function sliced(value: string, from: number, count: number | null): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  const end = count === null ? value.length : count < 0 ? value.length + count : start + count;
  return value.slice(start, end);
}

/** Matching a pattern from every place of a text takes the square of its length. */
const costOf = (values: readonly string[]): number => values.reduce((sum, value) => sum + value.length ** 2 / 256, 0);

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
  const ready = patternOf(pattern);
  let result = "";
  for (let at = 0; at < value.length; ) {
    const ends = at > 0 && operator === "/#" ? [] : endsOf(ready, value, at, true);
    const end = ends.findLast((found) => found > at && (operator !== "/%" || found === value.length)) ?? at;
    result += end === at ? value.charAt(at) : to;
    if (end > at && operator === "/") return result + value.slice(end);
    at = Math.max(end, at + 1);
  }
  return result;
}
