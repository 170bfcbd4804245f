// Where two paths of a program meet: the state after either may hold from there on.
import { alternatives, UNKNOWN } from "../words/symbols.ts";
import type { Lists, State } from "./state.ts";

/** After a branch: everything that either path may have changed. */
export function merge(into: State, other: State): void {
  mergeVariables(into, other);
  into.files = mergedValues(into.files, other.files, UNKNOWN);
  into.arrays = mergedLists(into.arrays, other.arrays);
  into.positional = eitherList(into.positional, other.positional);
  into.functions = mergedChoices(into.functions, other.functions);
  into.aliases = mergedChoices(into.aliases, other.aliases);
  into.copies = mergedTables(into.copies, other.copies);
  into.references = mergedTables(into.references, other.references);
  into.attributes = mergedTables(into.attributes, other.attributes);
  into.gitAliases = mergedChoices(into.gitAliases, other.gitAliases);
  into.exported = into.exported === other.exported ? into.exported : new Set([...into.exported, ...other.exported]);
  into.posix ||= other.posix;
  into.sealed &&= other.sealed;
  if (into.cwd !== other.cwd) into.cwd = alternatives([...into.cwd, ...other.cwd]);
}

export function mergeVariables(into: State, other: State): void {
  into.vars = mergedValues(into.vars, other.vars, into.sealed && other.sealed ? "" : UNKNOWN);
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

function mergedLists(first: State["arrays"], second: State["arrays"]): State["arrays"] {
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
