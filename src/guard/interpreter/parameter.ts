// Expands parameters: `$x`, `${x:-y}`, `${x%y}`, `${x/y/z}`, `${x:1:2}` and their relatives over symbolic text.
import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { ansiDecoded } from "../words/escapes.ts";
import { accepted, endsOf, patternOf } from "../words/glob.ts";
import { words } from "../words/options.ts";
import {
  ABSENT,
  alternatives,
  HOLE,
  isAnything,
  isOpen,
  onlyOf,
  quoted,
  SOME,
  UNKNOWN,
  unknownFrom,
} from "../words/symbols.ts";
import { evaluated, expandedAsText } from "./arithmetic.ts";
import type { ExpansionScope } from "./machine.ts";
import { entered, fork, isLeftBehind, type Lists, type State, targetOf } from "./state.ts";

/** Set by bash itself, or by what cannot be followed. */
const NOT_KNOWN = new Set(words("BASH_REMATCH OPTARG COPROC DIRSTACK BASH_COMMAND"));

/**
 * Alternatives of `$name`. The environment of a step is known whole, so a name that was never assigned is unset; it counts as
 * unknown all the same, because the text may be run elsewhere.
 */
export function valueOfName(name: string, state: State): readonly string[] {
  if (name === "PWD") return state.bindings.vars.get("PWD") ?? state.location.cwd;
  if (name === "0") return [state.shell.name];
  if (name === "_") return [state.shell.last];
  if (name === "BASH_SOURCE") return [state.frame.file?.path ?? state.shell.name];
  if (name === "FUNCNAME") return [state.frame.calls.at(-1) ?? ""];
  if (name === "@" || name === "*") return state.frame.positional.map((words) => words.join(" "));
  if (/^\d+$/.test(name)) return positional(Number(name), state);
  if (/^[#?$!-]$/.test(name)) return [SOME];
  const target = targetOf(state, name);
  const lists = state.bindings.arrays.get(target);
  if (lists !== undefined) return alternatives(lists.map((items) => itemAt(items, 0)));
  const values = state.bindings.vars.get(target);
  if (values !== undefined) return isLeftBehind(state, target) ? alternatives([...values, ""]) : values;
  if (isUnset(target, state)) return ["", ABSENT];
  return isConfigured(target, state) ? [ABSENT] : [UNKNOWN];
}

const itemAt = (items: readonly string[], at: number): string => {
  const [first = ""] = items;
  if (items.length === 1 && isAnything(first)) return first;
  const item = items.at(at);
  return item === undefined || item === HOLE ? "" : item;
};

const positional = (n: number, { frame: { positional: lists, depth } }: State): readonly string[] =>
  alternatives(
    lists.flatMap((items) => (items[n - 1] === undefined ? (depth === 0 ? ["", ABSENT] : [""]) : [items[n - 1] ?? ""])),
  );

/** Nothing that ran so far can have assigned the name. */
const isUnset = (name: string, state: State): boolean => state.bindings.sealed && isNeverAssigned(name, state);

/** At most a file of this machine that was sourced has assigned it. */
const isConfigured = (name: string, state: State): boolean => state.bindings.configured && isNeverAssigned(name, state);

const isNeverAssigned = (name: string, { bindings: { vars, arrays } }: State): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !vars.has(name) && !arrays.has(name) && !NOT_KNOWN.has(name);

/** The lists of `$@`, `${@:2}`, `${a[@]}`, `${!a[@]}` or `${!name@}`; null for a parameter that is one text. */
export function listsOf(part: ParameterExpansionPart, scope: ExpansionScope): Lists | null {
  const { state } = scope;
  const all = part.parameter === "@" || part.parameter === "*";
  const indexed = part.index?.text === "@" || part.index?.text === "*";
  const name = targetOf(state, part.parameter);
  if (part.prefix === "!" && indexed) return [keysOf(name, state)];
  if (part.prefix === "!" && part.operation?.type === "Names")
    return [
      [...state.bindings.vars.keys(), ...state.bindings.arrays.keys()]
        .filter((key) => key.startsWith(part.parameter))
        .sort(),
    ];
  if (part.prefix !== undefined || (!all && !indexed)) return null;
  const held = all ? state.frame.positional : state.bindings.arrays.get(name);
  const { operation } = part;
  if (operation?.type === "Default") {
    const filled = held?.every(({ length }) => length > 0) === true && !operation.operator.endsWith("+");
    return filled ? held.map(present) : null;
  }
  const lists = (held ?? scalarLists(name, state)).map(present);
  if (operation === undefined) return lists;
  if (operation.type === "Slice") return lists.map((items) => slicedList(items, all, operation, scope));
  if (operation.type !== "Remove" && operation.type !== "Replace" && operation.type !== "CaseModification") return null;
  const edit = editOf(operation, scope, (word) => numberOf(word, scope));
  return lists.map((items) => items.map((item) => (isOpen(item) ? unknownFrom([item]) : edit(item))));
}

/** A variable that is no array is a list of one, and an unset one is none. */
const scalarLists = (name: string, state: State): Lists =>
  isUnset(name, state) ? [[], [ABSENT]] : valueOfName(name, state).map((value) => [value]);

const present = (items: readonly string[]): readonly string[] => items.filter((item) => item !== HOLE);

function slicedList(
  items: readonly string[],
  all: boolean,
  { offset, length }: Extract<ParameterOperation, { type: "Slice" }>,
  scope: ExpansionScope,
): readonly string[] {
  const from = numberOf(offset, scope);
  const count = length === undefined ? items.length + 1 : numberOf(length, scope);
  if (from === null || count === null) return [UNKNOWN];
  if (all && from === 0) return [scope.state.shell.name, ...items].slice(0, count);
  const start = from < 0 ? Math.max(0, items.length + from) : all ? from - 1 : from;
  return items.slice(start, start + count);
}

const keysOf = (name: string, { bindings: { arrays, vars } }: State): readonly string[] => {
  const named = [...vars.keys()]
    .filter((key) => key.startsWith(`${name}[`))
    .map((key) => key.slice(name.length + 1, -1));
  const most = Math.max(0, ...(arrays.get(name) ?? []).map(({ length }) => length));
  return named.length > 0 ? named : Array.from({ length: most }, (_, at) => String(at));
};

export function expandParameter(part: ParameterExpansionPart, scope: ExpansionScope): readonly string[] {
  const { state } = scope;
  // The parser may cut an operand at a slash inside a substitution.
  if (part.operation?.type === "Replace" && /\$\(|`/.test(part.text))
    expandedAsText(part.text.slice(part.text.indexOf("/")), fork(state), scope.machine.provedOnly());
  let values = part.index === undefined ? valueOfName(part.parameter, state) : elements(part, scope);
  if (part.prefix === "#")
    return values.length === 1 && !isOpen(values[0] ?? "") ? [String(values[0]?.length)] : [SOME];
  if (part.prefix === "!" && part.parameter === "#")
    return alternatives(state.frame.positional.map((words) => itemAt(words, -1)));
  if (part.prefix === "!") values = alternatives(values.flatMap((name) => named(name, scope)));
  return part.operation === undefined ? values : applied(part, part.operation, values, scope);
}

/** `${!x}`: the variable that x names, whose index bash evaluates. */
function named(name: string, { state, machine }: ExpansionScope): readonly string[] {
  const index = name.indexOf("[");
  if (index < 0) return valueOfName(name, state);
  const array = targetOf(state, name.slice(0, index));
  const at = evaluated(name.slice(index + 1, -1), state, machine);
  const lists = state.bindings.arrays.get(array);
  return at === null || lists === undefined ? [UNKNOWN] : alternatives(lists.map((items) => itemAt(items, at)));
}

function elements(part: ParameterExpansionPart, scope: ExpansionScope): readonly string[] {
  const { state } = scope;
  const name = targetOf(state, part.parameter);
  if (state.bindings.attributes.get(name)?.includes("A") === true && part.index !== undefined)
    return entries(name, part.index, scope);
  const lists = state.bindings.arrays.get(name);
  const at = part.index === undefined ? null : numberOf(part.index, scope);
  if (lists === undefined)
    return at === 0 || state.bindings.vars.get(name)?.[0] === SOME ? valueOfName(name, state) : [UNKNOWN];
  return alternatives(
    at === null ? [...lists.flatMap(present), unknownFrom(lists.flat())] : lists.map((items) => itemAt(items, at)),
  );
}

/** Of an associative array: the entries of the key, all of them when the key is not known. Words without a key are both. */
function entries(name: string, index: Word, scope: ExpansionScope): readonly string[] {
  const keys = scope.text(index);
  const pairs = (scope.state.bindings.arrays.get(name) ?? []).flatMap(present);
  const wanted = keys.some(isOpen) ? keysOf(name, scope.state) : keys;
  return alternatives(wanted.flatMap((key) => scope.state.bindings.vars.get(`${name}[${key}]`) ?? ["", ...pairs]));
}

/** The value of an index or an offset, which bash evaluates as arithmetic. */
function numberOf(word: Word, scope: ExpansionScope): number | null {
  // What is not set is empty there.
  const texts = scope.text(word).map((one) => one.replaceAll(ABSENT, ""));
  const text = onlyOf(alternatives(texts)).trim();
  if (text === "") return 0;
  return isOpen(text) ? null : evaluated(text, scope.state, scope.machine);
}

function applied(
  part: ParameterExpansionPart,
  operation: ParameterOperation,
  values: readonly string[],
  scope: ExpansionScope,
): readonly string[] {
  if (operation.type === "Default") {
    const none = /^[@*]$/.test(part.parameter) && scope.state.frame.positional.every(({ length }) => length === 0);
    const left = isLeftBehind(scope.state, targetOf(scope.state, part.parameter));
    if (none) return whenUnset(part.parameter, operation, scope);
    if (left) return alternatives([...values, ...whenUnset(part.parameter, operation, scope)]);
    if (isUnset(targetOf(scope.state, part.parameter), scope.state)) return whenUnset(part.parameter, operation, scope);
    return alternatives(values.flatMap((value) => defaulted(part.parameter, operation, value, scope)));
  }
  if (operation.type === "Transform") return transformed(scope.text(operation.operand)[0] ?? "", values, scope);
  scope.machine.tick(costOf(values));
  const edit = editOf(operation, scope, (word) => numberOf(word, scope));
  // A part of what is not set is not set either.
  const isPart = operation.type === "Slice" || operation.type === "Remove";
  return alternatives(
    values.map((value) => {
      if (isPart && value === ABSENT) return ABSENT;
      return isOpen(value) ? sliceOfOpen(operation, value, edit) : edit(value);
    }),
  );
}

type DefaultOperation = Extract<ParameterOperation, { type: "Default" }>;

function whenUnset(name: string, operation: DefaultOperation, scope: ExpansionScope) {
  const { operator, operand } = operation;
  const others = scope.text(operand);
  if (operator.endsWith("+")) return ["", ...others];
  // Bash ends the program there, so the variable has a value in what follows.
  if (operator.endsWith("?")) return [ABSENT];
  if (operator.endsWith("=")) scope.state.bindings.vars = entered(scope.state.bindings.vars, name, others);
  return others;
}

function defaulted(name: string, operation: DefaultOperation, value: string, scope: ExpansionScope): readonly string[] {
  const { operator, operand } = operation;
  const open = isOpen(value);
  const empty = value === "";
  if (operator.endsWith("?")) return [value];
  if (operator.endsWith("+")) return open ? ["", ...scope.text(operand)] : empty ? [""] : scope.text(operand);
  const falls = open || (empty && operator.startsWith(":"));
  if (!falls) return [value];
  const others = scope.text(operand);
  const result = open ? [value, ...others] : others;
  if (operator.endsWith("="))
    scope.state.bindings.vars = entered(scope.state.bindings.vars, name, alternatives(result));
  return result;
}

/** `${x@P}` expands the value as a prompt: a command substitution in it runs. */
function transformed(
  operator: string,
  values: readonly string[],
  { state, machine }: ExpansionScope,
): readonly string[] {
  if (operator === "P") {
    return alternatives(
      values.flatMap((value) => (/[$`\\]/.test(value) ? expandedAsText(value, fork(state), machine) : [value])),
    );
  }
  if (operator === "E") return values.map((value) => (isOpen(value) ? unknownFrom([value]) : ansiDecoded(value)));
  if (operator === "U") return values.map((value) => value.toUpperCase());
  if (operator === "u") return values.map((value) => value.slice(0, 1).toUpperCase() + value.slice(1));
  if (operator === "L") return values.map((value) => value.toLowerCase());
  return operator === "Q" ? values.map(quoted) : [unknownFrom(values)];
}

const MAX_SCAN = 256;

/**
 * What the operators of a parameter expansion make of its text: slices, `%`, `#`, `/`, change of case. The start of a text may be
 * known although its end is not: `${PATH:0:1}`.
 */
function sliceOfOpen(operation: ParameterOperation, value: string, edit: (value: string) => string): string {
  const known = value.search(/[\uFDD0-\uFDD8\uFDDA]/);
  if (operation.type !== "Slice" || operation.length === undefined) return unknownFrom([value]);
  const result = edit(value);
  return known > 0 && value.indexOf(result) + result.length <= known ? result : unknownFrom([value]);
}

function editOf(
  operation: ParameterOperation,
  scope: ExpansionScope,
  numberOf: (word: Word) => number | null,
): (value: string) => string {
  // Classes and extended patterns are taken for more than they match, which is no way to compute a text.
  const pattern = (word: Word): string => (/\[:|[?*+@!]\(/.test(word.text) ? UNKNOWN : onlyOf(scope.text(word)));
  if (operation.type === "Slice") {
    const from = numberOf(operation.offset);
    const count = operation.length === undefined ? null : numberOf(operation.length);
    if (from === null || (operation.length !== undefined && count === null)) return (value) => unknownFrom([value]);
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
  return (value) => unknownFrom([value]);
}

function sliced(value: string, from: number, count: number | null): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  const end = count === null ? value.length : count < 0 ? value.length + count : start + count;
  return value.slice(start, end);
}

/** `^`, `,` and `~`, once or doubled; a pattern selects the characters that change. */
function recased(value: string, operator: string, allowed: string | null): string {
  if (allowed !== null && isOpen(allowed)) return unknownFrom([value, allowed]);
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
const costOf = (values: readonly string[]): number => values.reduce((sum, value) => sum + value.length ** 2 / 256, 0);

function trimmed(value: string, pattern: string, operator: string): string {
  if (isOpen(pattern) || value.length > MAX_SCAN) return unknownFrom([pattern, value]);
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
  if (isOpen(pattern) || value.length > MAX_SCAN) return unknownFrom([pattern, value, to]);
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
