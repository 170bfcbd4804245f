// Where two paths of a program meet: the state after either may hold from there on.
import { alternatives, UNKNOWN } from "../words/symbols.ts";
import type { Machine, Output } from "./machine.ts";
import { deeper, type Lists, type State } from "./state.ts";

/** After a branch: everything that either path may have changed. */
export function merge(into: State, other: State): void {
  mergeVariables(into, other);
  into.io.files = mergedValues(into.io.files, other.io.files, UNKNOWN);
  into.bindings.arrays = mergedLists(into.bindings.arrays, other.bindings.arrays);
  into.frame.positional = eitherList(into.frame.positional, other.frame.positional);
  into.bindings.functions = mergedChoices(into.bindings.functions, other.bindings.functions);
  into.bindings.aliases = mergedChoices(into.bindings.aliases, other.bindings.aliases);
  into.io.copies = mergedTables(into.io.copies, other.io.copies);
  into.bindings.references = mergedTables(into.bindings.references, other.bindings.references);
  into.bindings.attributes = mergedTables(into.bindings.attributes, other.bindings.attributes);
  into.bindings.gitAliases = mergedChoices(into.bindings.gitAliases, other.bindings.gitAliases);
  into.bindings.exported =
    into.bindings.exported === other.bindings.exported
      ? into.bindings.exported
      : new Set([...into.bindings.exported, ...other.bindings.exported]);
  into.shell.posix ||= other.shell.posix;
  into.bindings.sealed &&= other.bindings.sealed;
  if (into.location.cwd !== other.location.cwd)
    into.location.cwd = alternatives([...into.location.cwd, ...other.location.cwd]);
}

export function mergeVariables(into: State, other: State): void {
  into.bindings.vars = mergedValues(
    into.bindings.vars,
    other.bindings.vars,
    into.bindings.sealed && other.bindings.sealed ? "" : UNKNOWN,
  );
}

const mergedTables = <V>(first: ReadonlyMap<string, V>, second: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
  first === second ? first : new Map([...first, ...second]);

const MAX_LISTS = 8;
const NO_WORDS: Lists = [[]];

/** Past the bound the words are unknown. */
function eitherList(first: Lists, second: Lists): Lists {
  if (first === second) return first;
  const lists = new Map([...first, ...second].map((list) => [list.join("\0"), list]));
  return lists.size > MAX_LISTS ? [[UNKNOWN]] : [...lists.values()];
}

function mergedLists(
  first: State["bindings"]["arrays"],
  second: State["bindings"]["arrays"],
): State["bindings"]["arrays"] {
  if (first === second) return first;
  const names = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...names].map((name) => [name, eitherList(first.get(name) ?? NO_WORDS, second.get(name) ?? NO_WORDS)]),
  );
}

type Choices<V> = ReadonlyMap<string, readonly V[]>;

function mergedChoices<V>(first: Choices<V>, second: Choices<V>): Choices<V> {
  if (first === second) return first;
  const names = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...names].map((name) => [name, [...new Set([...(first.get(name) ?? []), ...(second.get(name) ?? [])])]]),
  );
}

type Values = ReadonlyMap<string, readonly string[]>;

function mergedValues(first: Values, second: Values, missing: string): Values {
  if (first === second) return first;
  const names = new Set([...first.keys(), ...second.keys()]);
  return new Map([...names].map((name) => [name, either(first.get(name) ?? [missing], second.get(name) ?? [missing])]));
}

function either(first: readonly string[], second: readonly string[]): readonly string[] {
  return first === second ? first : alternatives([...first, ...second]);
}

export function runInside(text: string, state: State, machine: Machine): Output {
  const inner = deeper(state);
  const output = machine.runText(text, inner);
  merge(state, inner);
  return output;
}
