// Parameter expansion: `$x`, `${x:-y}`, `${x%y}`, `${x/y/z}`, `${x:1:2}` and their relatives over symbolic text.
import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { evaluated, expandedAsText } from "./arithmetic.ts";
import { costOf, editOf, sliceOfOpen } from "./parameter-edits.ts";
import { decodeEscapes } from "./printf.ts";
import type { Scope } from "./scope.ts";
import { entered, fork, isLeftBehind, type State, targetOf } from "./state.ts";
import { ABSENT, alternatives, isOpen, quoted, SOME, UNKNOWN } from "./symbols.ts";

/** Set by bash itself, or by what cannot be followed. */
const NOT_KNOWN = new Set("BASH_REMATCH OPTARG COPROC BASH_SOURCE DIRSTACK BASH_COMMAND".split(" "));

/**
 * Alternatives of `$name`. The environment of a step is known whole, so a name that nobody assigned is unset; it counts as
 * unknown all the same, because the text may be run elsewhere.
 */
export function valueOfName(name: string, state: State): readonly string[] {
  if (name === "PWD") return state.vars.get("PWD") ?? state.cwd;
  if (name === "0") return [state.name];
  if (name === "_") return [state.last];
  if (name === "FUNCNAME") return [state.calls.at(-1) ?? ""];
  if (name === "@" || name === "*") return [state.positional.join(" ")];
  if (/^\d+$/.test(name)) return positional(Number(name), state);
  if (/^[#?$!-]$/.test(name)) return [SOME];
  const target = targetOf(state, name);
  const items = state.arrays.get(target);
  if (items !== undefined) return [items[0] ?? ""];
  const values = state.vars.get(target);
  if (values !== undefined) return isLeftBehind(state, target) ? alternatives([...values, ""]) : values;
  return isUnset(target, state) ? ["", ABSENT] : [UNKNOWN];
}

function positional(n: number, { positional: items, depth }: State): readonly string[] {
  const value = items[n - 1];
  return value === undefined ? (depth === 0 ? ["", ABSENT] : [""]) : [value];
}

/** Nothing that ran so far can have assigned the name. */
const isUnset = (name: string, { sealed, vars, arrays }: State): boolean =>
  sealed && /^[A-Za-z_]\w*$/.test(name) && !vars.has(name) && !arrays.has(name) && !NOT_KNOWN.has(name);

/** The list behind `$@`, `${@:2}`, `${a[@]}`, `${!a[@]}` or `${!name@}`; null for a parameter that is one text. */
export function listOf(part: ParameterExpansionPart, scope: Scope): readonly string[] | null {
  const { state } = scope;
  const all = part.parameter === "@" || part.parameter === "*";
  const indexed = part.index?.text === "@" || part.index?.text === "*";
  const name = targetOf(state, part.parameter);
  if (part.prefix === "!" && indexed) return keysOf(name, state);
  if (part.prefix === "!" && part.operation?.type === "Names")
    return [...state.vars.keys(), ...state.arrays.keys()].filter((key) => key.startsWith(part.parameter)).sort();
  if (part.prefix !== undefined || (!all && !indexed)) return null;
  const held = all ? state.positional : state.arrays.get(name);
  if (held === undefined && part.operation?.type === "Default") return null;
  const items = held ?? valueOfName(name, state).slice(0, 1);
  if (part.operation === undefined) return items;
  if (part.operation.type === "Default" && items.length > 0 && !part.operation.operator.endsWith("+")) return items;
  if (part.operation.type !== "Slice") return null;
  const from = numberOf(part.operation.offset, scope);
  const count = part.operation.length === undefined ? items.length : numberOf(part.operation.length, scope);
  if (from === null || count === null) return [UNKNOWN];
  if (all && from === 0) return [state.name, ...items].slice(0, count);
  const start = from < 0 ? Math.max(0, items.length + from) : all ? Math.max(0, from - 1) : from;
  return items.slice(start, start + count);
}

const keysOf = (name: string, { arrays, vars }: State): readonly string[] => {
  const named = [...vars.keys()]
    .filter((key) => key.startsWith(`${name}[`))
    .map((key) => key.slice(name.length + 1, -1));
  return named.length > 0 ? named : [...(arrays.get(name) ?? []).keys()].map(String);
};

export function expandParameter(part: ParameterExpansionPart, scope: Scope): readonly string[] {
  const { state } = scope;
  // The parser may cut an operand at a slash that stands inside a substitution.
  if (part.operation?.type === "Replace" && /\$\(|`/.test(part.text))
    expandedAsText(part.text.slice(part.text.indexOf("/")), fork(state), scope.machine.provedOnly());
  let values = part.index === undefined ? valueOfName(part.parameter, state) : elements(part, scope);
  if (part.prefix === "#")
    return values.length === 1 && !isOpen(values[0] ?? "") ? [String(values[0]?.length)] : [SOME];
  if (part.prefix === "!" && part.parameter === "#") return [state.positional.at(-1) ?? ""];
  if (part.prefix === "!") values = alternatives(values.flatMap((name) => named(name, scope)));
  return part.operation === undefined ? values : applied(part, part.operation, values, scope);
}

/** `${!x}`: the variable that x names, whose index bash evaluates. */
function named(name: string, { state, machine }: Scope): readonly string[] {
  const index = name.indexOf("[");
  if (index < 0) return valueOfName(name, state);
  const array = targetOf(state, name.slice(0, index));
  const at = evaluated(name.slice(index + 1, -1), state, machine);
  const item = at === null ? undefined : state.arrays.get(array)?.at(at);
  return [item ?? UNKNOWN];
}

function elements(part: ParameterExpansionPart, scope: Scope): readonly string[] {
  const { state } = scope;
  const name = targetOf(state, part.parameter);
  if (state.attributes.get(name)?.includes("A") === true && part.index !== undefined)
    return entries(name, part.index, scope);
  const items = state.arrays.get(name);
  const at = part.index === undefined ? null : numberOf(part.index, scope);
  if (items === undefined) return at === 0 || state.vars.get(name)?.[0] === SOME ? valueOfName(name, state) : [UNKNOWN];
  return at === null ? alternatives([...items, UNKNOWN]) : [items.at(at) ?? ""];
}

/** Of an associative array: the entries of the key, all of them when the key is not known. */
function entries(name: string, index: Word, scope: Scope): readonly string[] {
  const keys = scope.text(index);
  const wanted = keys.some(isOpen) ? keysOf(name, scope.state) : keys;
  return alternatives(wanted.flatMap((key) => scope.state.vars.get(`${name}[${key}]`) ?? [""]));
}

const only = (values: readonly string[]): string => (values.length === 1 ? (values[0] ?? "") : UNKNOWN);

/** The value of an index or an offset, which bash evaluates as arithmetic. */
function numberOf(word: Word, scope: Scope): number | null {
  const text = only(scope.text(word)).trim();
  if (text === "") return 0;
  return isOpen(text) ? null : evaluated(text, scope.state, scope.machine);
}

function applied(
  part: ParameterExpansionPart,
  operation: ParameterOperation,
  values: readonly string[],
  scope: Scope,
): readonly string[] {
  if (operation.type === "Default") {
    const none = /^[@*]$/.test(part.parameter) && scope.state.positional.length === 0;
    const left = isLeftBehind(scope.state, targetOf(scope.state, part.parameter));
    if (none) return whenUnset(part.parameter, operation, scope);
    if (left) return alternatives([...values, ...whenUnset(part.parameter, operation, scope)]);
    if (isUnset(targetOf(scope.state, part.parameter), scope.state)) return whenUnset(part.parameter, operation, scope);
    return alternatives(
      values.flatMap((value) => defaulted(part.parameter, operation.operator, value, scope, operation.operand)),
    );
  }
  if (operation.type === "Transform") return transformed(scope.text(operation.operand)[0] ?? "", values, scope);
  if (!scope.machine.tick(costOf(values))) return [UNKNOWN];
  const edit = editOf(operation, scope, (word) => numberOf(word, scope));
  return alternatives(values.map((value) => (isOpen(value) ? sliceOfOpen(operation, value, edit) : edit(value))));
}

function whenUnset(name: string, operation: Extract<ParameterOperation, { type: "Default" }>, scope: Scope) {
  const { operator, operand } = operation;
  const others = scope.text(operand);
  if (operator.endsWith("+")) return ["", ...others];
  if (operator.endsWith("?")) return [""];
  if (operator.endsWith("=")) scope.state.vars = entered(scope.state.vars, name, others);
  return others;
}

function defaulted(name: string, operator: string, value: string, scope: Scope, operand: Word): readonly string[] {
  const open = isOpen(value);
  const empty = value === "";
  if (operator.endsWith("?")) return [value];
  if (operator.endsWith("+")) return open ? ["", ...scope.text(operand)] : empty ? [""] : scope.text(operand);
  const falls = open || (empty && operator.startsWith(":"));
  if (!falls) return [value];
  const others = scope.text(operand);
  const result = open ? [value, ...others] : others;
  if (operator.endsWith("=")) scope.state.vars = entered(scope.state.vars, name, alternatives(result));
  return result;
}

/** `${x@P}` expands the value as a prompt: a command substitution in it runs. */
function transformed(operator: string, values: readonly string[], { state, machine }: Scope): readonly string[] {
  if (operator === "P") {
    return alternatives(
      values.flatMap((value) => (/[$`\\]/.test(value) ? expandedAsText(value, fork(state), machine) : [value])),
    );
  }
  if (operator === "E") return values.map((value) => (isOpen(value) ? UNKNOWN : decodeEscapes(value)));
  if (operator === "U") return values.map((value) => value.toUpperCase());
  if (operator === "u") return values.map((value) => value.slice(0, 1).toUpperCase() + value.slice(1));
  if (operator === "L") return values.map((value) => value.toLowerCase());
  return operator === "Q" ? values.map(quoted) : [UNKNOWN];
}
