// Where two paths of a program meet: the state after either may hold from there on.
import { parse } from "unbash";
import { alternatives, isAnything, UNKNOWN, unknownFrom } from "../words/symbols.ts";
import type { Machine, Output } from "./machine.ts";
import { deeper, type Lists, type State } from "./state.ts";

/** After a branch: everything that either path may have changed. */
export function merge(into: State, other: State): void {
  mergeVariables(into, other);
  mergeWorld(into, other);
  into.bindings.arrays = mergedEntries(into.bindings.arrays, other.bindings.arrays, [[]], eitherList);
  into.frame.positional = eitherList(into.frame.positional, other.frame.positional);
  into.bindings.functions = mergedEntries(into.bindings.functions, other.bindings.functions, ABSENT, eitherChoice);
  into.bindings.aliases = mergedChoices(into.bindings.aliases, other.bindings.aliases);
  into.bindings.references = mergedTables(into.bindings.references, other.bindings.references);
  into.bindings.attributes = mergedTables(into.bindings.attributes, other.bindings.attributes);
  into.bindings.exported =
    into.bindings.exported === other.bindings.exported
      ? into.bindings.exported
      : new Set([...into.bindings.exported, ...other.bindings.exported]);
  into.shell.posix ||= other.shell.posix;
  into.bindings.sealed &&= other.bindings.sealed;
  into.bindings.configured &&= other.bindings.configured;
  if (into.location.cwd !== other.location.cwd)
    into.location.cwd = alternatives([...into.location.cwd, ...other.location.cwd]);
}

/** What outlives the shell. */
export function mergeWorld(into: State, other: State): void {
  into.io.files = mergedEntries(into.io.files, other.io.files, [UNKNOWN], eitherValue);
  into.io.copies = mergedTables(into.io.copies, other.io.copies);
  into.io.containers = mergedTables(into.io.containers, other.io.containers);
  into.io.others = mergedTables(into.io.others, other.io.others);
  into.io.volumes = mergedTables(into.io.volumes, other.io.volumes);
  if (into.io.links !== other.io.links) into.io.links = [...new Set([...into.io.links, ...other.io.links])];
  into.bindings.gitAliases = mergedChoices(into.bindings.gitAliases, other.bindings.gitAliases);
}

export function mergeVariables({ bindings: into }: State, { bindings: other }: State): void {
  const missing = [into.sealed && other.sealed ? "" : UNKNOWN];
  into.vars = mergedEntries(into.vars, other.vars, missing, (one, held) => {
    // Unknown text includes the empty one.
    if (one === missing && held.some(isAnything)) return held;
    return held === missing && one.some(isAnything) ? one : eitherValue(one, held);
  });
}

const mergedTables = <V>(first: Table<V>, second: Table<V>): Table<V> =>
  first === second ? first : new Map([...first, ...second]);

const MAX_LISTS = 8;

/** Past the bound only the first word of each is known: what it may run. */
export function eitherList(first: Lists, second: Lists): Lists {
  if (first === second) return first;
  const lists = new Map([...first, ...second].map((list) => [list.join("\0"), list]));
  if (lists.size <= MAX_LISTS) return [...lists.values()];
  const heads = new Set([...lists.values()].map(([head]) => head));
  const unknown = unknownFrom([...first, ...second].flat());
  if (heads.size > MAX_LISTS || [...heads].some((head) => head !== undefined && isAnything(head))) return [[unknown]];
  return [...heads].map((head) => (head === undefined ? [] : [head, unknown]));
}

const eitherValue = (first: readonly string[], second: readonly string[]): readonly string[] =>
  first === second || second.every((text) => first.includes(text)) ? first : alternatives([...first, ...second]);

type Table<V> = ReadonlyMap<string, V>;

/** Where only one table has a name, the other is taken to hold `missing`. */
function mergedEntries<V>(first: Table<V>, second: Table<V>, missing: V, either: (one: V, other: V) => V): Table<V> {
  if (first === second) return first;
  const changes: [string, V][] = [];
  const note = (name: string, one: V | undefined, other: V | undefined): void => {
    if (one === other) return;
    const both = either(one ?? missing, other ?? missing);
    if (both !== one) changes.push([name, both]);
  };
  for (const [name, other] of second) note(name, first.get(name), other);
  for (const [name, one] of first) if (!second.has(name)) note(name, one, undefined);
  if (changes.length === 0) return first;
  const merged = new Map(first);
  for (const [name, both] of changes) merged.set(name, both);
  return merged;
}

const mergedChoices = <V>(first: Table<readonly V[]>, second: Table<readonly V[]>): Table<readonly V[]> =>
  mergedEntries(first, second, [], eitherChoice);

const eitherChoice = <V>(one: readonly V[], other: readonly V[]): readonly V[] =>
  other.every((choice) => one.includes(choice)) ? one : [...new Set([...one, ...other])];

/** What a function does that only one of two paths has defined: on the other it is no command, and the shell goes on. */
const ABSENT = parse("absent() { :; }").commands.flatMap(({ command }) =>
  command.type === "Function" ? [command.body] : [],
);

export function runInside(text: string, state: State, machine: Machine): Output {
  const inner = deeper(state);
  const output = machine.runText(text, inner);
  merge(state, inner);
  return output;
}
