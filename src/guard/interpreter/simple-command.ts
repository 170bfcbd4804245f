// A simple command: its assignments, its redirections, its words; then the program it names.
import type { Assignment, Command, CommandArgument, Word } from "unbash";
import { alternatives, HOLE, joined, onlyOf, UNKNOWN, unglobbed, unknownFrom } from "../words/symbols.ts";
import { evaluated, setVariable } from "./arithmetic.ts";
import { expandText, expandWord, expandWords } from "./expand.ts";
import type { Machine, Output } from "./machine.ts";
import { eitherList, merge } from "./merge.ts";
import { redirected } from "./redirects.ts";
import { entered, fork, type Lists, type State, targetOf, without } from "./state.ts";

const MAX_VARIABLES = 512;
/** More variables than that are too much to follow. */
const ALL_WORK = Number.MAX_SAFE_INTEGER;
const MAX_ITEMS = 1_000;
const MAX_LISTS = 8;
const INSIDE_A_WORD = "a process substitution is inside a word; write it as a word of its own";

export function runSimple(node: Command, state: State, machine: Machine): Output {
  const assignments = node.prefix.filter((part) => part.type === "Assignment");
  if (node.name === undefined) {
    for (const assignment of assignments) assign(assignment, state, machine);
    // `$(< file)` is the text of the file; an assignment writes nothing.
    const reads = assignments.length === 0 && node.redirects.length > 0;
    return redirected(node, state, machine, (inner) => (reads ? (inner.io.stdin ?? [""]) : [""]));
  }
  // The parser takes the process substitution of `X=<(a) b` for the command.
  if (assignments.at(-1)?.end === node.name.pos) machine.report("ask", "parse.error", INSIDE_A_WORD);
  const lines = commandLines(node.name.value, node, state, machine);
  const before = assignments.map(({ name }) => [name, state.bindings.vars.get(name)] as const);
  const { arrays } = state.bindings;
  for (const assignment of assignments) assign(assignment, state, machine);
  const { exported } = state.bindings;
  if (assignments.length > 0) state.bindings.exported = new Set([...exported, ...assignments.map(({ name }) => name)]);
  const persists = node.name.text === "exec" && node.args.length === 0;
  const output = redirected({ redirects: node.redirects, persists }, state, machine, (inner) =>
    runLines(lines, inner, machine),
  );
  if (assignments.length > 0) state.bindings.exported = exported;
  for (const [name, values] of before) {
    if (values === undefined) state.bindings.vars = without(state.bindings.vars, name);
    else state.bindings.vars = entered(state.bindings.vars, name, values);
    // Whether an element that is assigned before a command stays assigned depends on the command.
    const now = state.bindings.arrays.get(name);
    if (now !== undefined && now !== arrays.get(name))
      state.bindings.arrays = entered(state.bindings.arrays, name, eitherList(arrays.get(name) ?? [[]], now));
  }
  return output;
}

/** Alternatives of the whole line. `export x=~/y` assigns, so its words are not split. */
function commandLines(name: string, node: Command, state: State, machine: Machine): readonly (readonly string[])[] {
  const words = node.name === undefined ? [] : [node.name];
  if (!node.args.some((arg) => arg.type === "Assignment")) {
    return expandWords([...words, ...node.args.filter((arg) => arg.type === "Word")], state, machine);
  }
  if (node.args.some((arg) => arg.type === "Word" && /^-\w*A/.test(arg.text)))
    for (const arg of node.args)
      if (arg.type === "Assignment") state.bindings.attributes = entered(state.bindings.attributes, arg.name, "A");
  return node.args.reduce<readonly (readonly string[])[]>(
    (lines, arg) => bounded(lines, argumentChoices(arg, machine.programs.declares(name), state, machine)),
    expandWords(words, state, machine),
  );
}

function argumentChoices(
  arg: CommandArgument,
  declares: boolean,
  state: State,
  machine: Machine,
): readonly (readonly string[])[] {
  if (arg.type === "Word") return expandWord(arg, state, machine);
  if (arg.value.type === "ArrayValue") {
    if (declares) assign(arg, state, machine);
    return [[]];
  }
  // What is substituted in the index runs, and the shell evaluates the number.
  if (arg.index !== undefined)
    for (const index of expandText(arg.index, state, machine))
      if (state.bindings.attributes.get(arg.name)?.includes("A") !== true) evaluated(index, state, machine);
  // What is assigned is no pattern of file names.
  const shown = declares ? unglobbed : (value: string) => value;
  const named = (value: string) => `${arg.name}=${shown(value)}`;
  // Only what comes before a command keeps its braces.
  if (arg.value.parts?.some(({ type }) => type === "BraceExpansion") === true)
    return expandWord(arg.value, state, machine).map((fields) => fields.map(named));
  return expandText(arg.value, state, machine).map((value) => [named(value)]);
}

const bounded = (lines: readonly (readonly string[])[], choices: readonly (readonly string[])[]) =>
  lines.length * choices.length > 32
    ? lines.map((line) => [...line, unknownFrom(choices.flat())])
    : lines.flatMap((line) => choices.map((choice) => [...line, ...choice]));

/** Whether the lines are one line but for the alternatives of one word after the first. */
function variesOnce([first = [], ...others]: readonly (readonly string[])[]): boolean {
  const varied = new Set(others.flatMap((line) => line.flatMap((word, at) => (word === first[at] ? [] : [at]))));
  return varied.size === 1 && !varied.has(0) && others.every((line) => line.length === first.length);
}

function runLines(lines: readonly (readonly string[])[], state: State, machine: Machine): Output {
  const [only = []] = lines;
  if (lines.length <= 1) return machine.runArgv(only, state);
  const called = variesOnce(lines) ? machine.programs.call(lines, state, machine) : null;
  if (called !== null) return called;
  const start = fork(state);
  const output: string[] = [];
  for (const line of lines) {
    machine.tick(1 + line.join("").length / 32);
    const branch = fork(start);
    output.push(...machine.runArgv(line, branch));
    merge(state, branch);
  }
  return alternatives(output);
}

function assign(assignment: Assignment, state: State, machine: Machine): void {
  const { value } = assignment;
  const name = targetOf(state, assignment.name);
  if (state.bindings.vars.size >= MAX_VARIABLES) machine.tick(ALL_WORK);
  if (value.type === "ArrayValue") {
    assignList({ name, words: value.elements, append: assignment.append === true }, state, machine);
    return;
  }
  const texts = expandText(value, state, machine).map(unglobbed);
  if (assignment.index !== undefined) {
    const keys = expandText(assignment.index, state, machine);
    const key = onlyOf(keys);
    assignElement({ name, key, texts }, state, machine);
    return;
  }
  const lists = state.bindings.arrays.get(name);
  if (assignment.append === true && lists !== undefined) {
    state.bindings.arrays = entered(
      state.bindings.arrays,
      name,
      lists.map(([first = "", ...rest]) => [first + onlyOf(texts), ...rest]),
    );
    return;
  }
  const all =
    assignment.append === true
      ? joined(state.bindings.vars.get(name) ?? [state.bindings.sealed ? "" : UNKNOWN], texts)
      : texts;
  setVariable(name, all, state, machine);
}

type ListAssignment = { readonly name: string; readonly words: readonly Word[]; readonly append: boolean };

function assignList({ name, words, append }: ListAssignment, state: State, machine: Machine): void {
  const start: Lists = append ? (state.bindings.arrays.get(name) ?? [[]]) : [[]];
  state.bindings.arrays = entered(state.bindings.arrays, name, start);
  for (const word of words) {
    const choices = expandWord(word, state, machine);
    const held = state.bindings.arrays.get(name) ?? [[]];
    if (
      choices.length > 1 &&
      held.length * choices.length <= MAX_LISTS &&
      !choices.flat().some((item) => KEYED.test(item))
    ) {
      machine.tick((held.length * choices.length * (held[0]?.length ?? 0)) / 64);
      const lists = held.flatMap((list) => choices.map((choice) => [...list, ...choice]));
      state.bindings.arrays = entered(state.bindings.arrays, name, lists);
      continue;
    }
    const element = elementOf(choices);
    if (element !== null) {
      assignElement({ name, ...element }, state, machine);
      continue;
    }
    for (const item of certain(choices)) {
      const [, key, text] = KEYED.exec(item) ?? [];
      if (key !== undefined) assignElement({ name, key, texts: [text ?? item] }, state, machine);
      else putItem({ name, at: null, texts: [item] }, state, machine);
    }
  }
}

/** `[key]=text`. */
const KEYED = /^[[\uFDD5]([^\]\uFDD6]+)[\]\uFDD6]=([\s\S]*)$/;

/** One element, of which the text has alternatives: `[key]=$x`. */
function elementOf(choices: readonly (readonly string[])[]): Pick<ElementAssignment, "key" | "texts"> | null {
  const found = choices.map((choice) => (choice.length === 1 ? KEYED.exec(choice[0] ?? "") : null));
  const keys = new Set(found.map((match) => match?.[1]));
  const [key] = keys;
  return keys.size === 1 && key !== undefined
    ? { key, texts: alternatives(found.map((match) => match?.[2] ?? "")) }
    : null;
}

/** Where its words have too many alternatives of their own, an item of a list is unknown. */
function certain(choices: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = choices;
  if (others.some(({ length }) => length !== first.length)) return [unknownFrom(choices.flat())];
  return first.map((item, at) =>
    others.every((choice) => choice[at] === item) ? item : unknownFrom(choices.map((choice) => choice[at] ?? "")),
  );
}

type ElementAssignment = { readonly name: string; readonly key: string; readonly texts: readonly string[] };

/** A key that is no number is one of an associative array: it has an entry of its own. */
function assignElement({ name, key, texts }: ElementAssignment, state: State, machine: Machine): void {
  if (name === "BASH_ALIASES") state.bindings.aliases = entered(state.bindings.aliases, key, texts);
  const named = state.bindings.attributes.get(name)?.includes("A") === true;
  const at = named ? null : evaluated(key, state, machine);
  if (at === null) state.bindings.vars = entered(state.bindings.vars, `${name}[${key}]`, texts);
  // `a[i++]=x`: at some place of its own.
  if (!named) putItem({ name, at, texts }, state, machine);
}

type ListItem = { readonly name: string; readonly at: number | null; readonly texts: readonly string[] };

/** At the index, or after all others. What was never assigned in between is no item. */
function putItem({ name, at, texts }: ListItem, state: State, machine: Machine): void {
  const held = state.bindings.arrays.get(name) ?? [[]];
  const choices = held.length * texts.length <= MAX_LISTS ? texts : [onlyOf(texts)];
  const lists = held.flatMap((list) => choices.map((text) => withItem(list, at, text, machine)));
  state.bindings.arrays = entered(state.bindings.arrays, name, lists);
}

function withItem(list: readonly string[], at: number | null, text: string, machine: Machine): readonly string[] {
  const items = [...list];
  const index = at === null ? items.length : at < 0 ? items.length + at : at;
  if (index < 0) return list;
  machine.tick(items.length / 64);
  if (index > MAX_ITEMS) return [unknownFrom([...list, text])];
  while (items.length < index) items.push(HOLE);
  items[index] = text;
  return items;
}
