// A simple command: its assignments, its redirections, its words; then the program it names.
import type { Assignment, Command, CommandArgument } from "unbash";
import { expandText, expandWord, expandWords } from "./expand.ts";
import type { Machine, Output } from "./machine.ts";
import { redirected } from "./redirects.ts";
import { entered, fork, merge, type State, without } from "./state.ts";
import { alternatives, joined, UNKNOWN, unglobbed } from "./symbols.ts";
import { setVariable } from "./variables.ts";

const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly", "alias"]);
const MAX_VARIABLES = 512;

export function runSimple(node: Command, state: State, machine: Machine): Output {
  const assignments = node.prefix.filter((part) => part.type === "Assignment");
  if (node.name === undefined) {
    for (const assignment of assignments) assign(assignment, state, machine);
    return redirected(node.redirects, state, machine, (inner) => inner.stdin ?? [""]);
  }
  const lines = commandLines(node.name.value, node, state, machine);
  const before = assignments.map(({ name }) => [name, state.vars.get(name)] as const);
  for (const assignment of assignments) assign(assignment, state, machine);
  const output = redirected(node.redirects, state, machine, (inner) => runLines(lines, inner, machine));
  for (const [name, values] of before) {
    if (values === undefined) state.vars = without(state.vars, name);
    else state.vars = entered(state.vars, name, values);
  }
  return output;
}

/** Alternatives of the whole line. `export x=~/y` assigns, so its words are not split. */
function commandLines(name: string, node: Command, state: State, machine: Machine): readonly (readonly string[])[] {
  const words = node.name === undefined ? [] : [node.name];
  if (!node.args.some((arg) => arg.type === "Assignment")) {
    return expandWords([...words, ...node.args.filter((arg) => arg.type === "Word")], state, machine);
  }
  const [first = []] = expandWords(words, state, machine);
  return node.args.reduce<readonly (readonly string[])[]>(
    (lines, arg) => bounded(lines, argumentChoices(arg, DECLARES.has(name), state, machine)),
    [first],
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
  return expandText(arg.value, state, machine).map((value) => [`${arg.name}=${value}`]);
}

const bounded = (lines: readonly (readonly string[])[], choices: readonly (readonly string[])[]) =>
  lines.length * choices.length > 32
    ? lines.map((line) => [...line, UNKNOWN])
    : lines.flatMap((line) => choices.map((choice) => [...line, ...choice]));

function runLines(lines: readonly (readonly string[])[], state: State, machine: Machine): Output {
  const [only = []] = lines;
  if (lines.length <= 1) return machine.runArgv(only, state);
  const start = fork(state);
  const output: string[] = [];
  for (const line of lines) {
    if (!machine.tick()) break;
    const branch = fork(start);
    output.push(...machine.runArgv(line, branch));
    merge(state, branch);
  }
  return alternatives(output);
}

function assign(assignment: Assignment, state: State, machine: Machine): void {
  const { name, value } = assignment;
  if (state.vars.size >= MAX_VARIABLES && !machine.tick(Number.MAX_SAFE_INTEGER)) return;
  if (value.type === "ArrayValue") {
    const items = value.elements.flatMap((word) => expandWord(word, state, machine)[0] ?? []);
    state.arrays = entered(
      state.arrays,
      name,
      assignment.append === true ? [...(state.arrays.get(name) ?? []), ...items] : items,
    );
    return;
  }
  const texts = expandText(value, state, machine).map(unglobbed);
  if (assignment.index !== undefined) {
    assignElement(assignment, texts, state, machine);
    return;
  }
  setVariable(
    name,
    assignment.append === true ? joined(state.vars.get(name) ?? [UNKNOWN], texts) : texts,
    state,
    machine,
  );
}

function assignElement(assignment: Assignment, texts: readonly string[], state: State, machine: Machine): void {
  const [index = UNKNOWN] = assignment.index === undefined ? [] : expandText(assignment.index, state, machine);
  const items = [...(state.arrays.get(assignment.name) ?? [])];
  const at = /^\d{1,3}$/.test(index) ? Number(index) : items.length;
  while (items.length < at) items.push("");
  items[at] = texts.length === 1 ? (texts[0] ?? "") : UNKNOWN;
  state.arrays = entered(state.arrays, assignment.name, items);
}
