// Compound commands: every branch is walked, and the state after any of them may hold afterwards.
import {
  type ArithmeticExpression,
  type CompoundList,
  forEachChild,
  type SyntaxNode,
  type TestExpression,
  type Word,
} from "unbash";
import { alternatives, joined, onlyOf, SOME, UNKNOWN, unglobbed } from "../words/symbols.ts";
import { arithmetic, evaluated } from "./arithmetic.ts";
import { expandText, expandWords } from "./expand.ts";
import type { Machine, Node, Output, Walk } from "./machine.ts";
import { merge, mergeVariables } from "./merge.ts";
import { redirected } from "./redirects.ts";
import { continueAs, entered, fork, keepFiles, type Lists, type SourceFile, type State, without } from "./state.ts";

type Compound = Exclude<Node, { type: "Command" | "Pipeline" | "AndOr" }>;

/** The file that a function was defined in. */
export const DEFINED_IN = new WeakMap<object, SourceFile>();

export function walkCompound(node: Compound, state: State, walk: Walk): Output {
  switch (node.type) {
    case "BraceGroup":
      return walk.list(node.body, state);
    case "Subshell":
      return subshell(node.body, state, walk);
    case "Function":
      if (state.frame.file !== null) DEFINED_IN.set(node.body, state.frame.file);
      state.bindings.functions = entered(state.bindings.functions, node.name.value, [node.body]);
      // Bash calls it of its own accord.
      if (node.name.value === "command_not_found_handle") walk.machine.runBody(node.body, fork(state));
      return [""];
    case "Redirected":
      return redirected(node, state, walk.machine, (inner) => walkCompound(node.command, inner, walk));
    case "Coproc":
      return coproc(node, state, walk);
    case "If":
      return chosen(node, state, walk);
    case "Case":
      return matching(node, state, walk);
    case "While":
      return loop([node.clause, node.body], state, walk);
    case "For":
    case "Select":
      return forEach(node, state, walk);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) calculated(part, state, walk.machine);
      return loop([node.body], state, walk);
    case "ArithmeticCommand":
      calculated(node.expression, state, walk.machine);
      return [""];
    case "TestCommand":
      test(node.expression, state, walk.machine);
      return [""];
  }
}

function chosen(node: Extract<Compound, { type: "If" }>, state: State, walk: Walk): Output {
  const { clause, then, elif } = node;
  const output = branches(
    {
      conditions: [clause, ...elif.map((one) => one.clause)],
      bodies: [then, ...elif.map((one) => one.then), ...(node.else === undefined ? [] : [node.else])],
      numbers: [numbersWhere(clause, true), ...(elif.length > 0 ? [] : [numbersWhere(clause, false)])],
      exhaustive: node.else !== undefined,
    },
    state,
    walk,
  );
  if (elif.length === 0 && node.else === undefined && exits(then, state))
    narrowAtEnd(numbersWhere(clause, false), state);
  return output;
}

function matching(node: Extract<Compound, { type: "Case" }>, state: State, walk: Walk): Output {
  for (const word of [node.word, ...node.items.flatMap((item) => item.pattern)]) expandText(word, state, walk.machine);
  const output = branches(
    {
      conditions: [],
      bodies: node.items.map((item) => item.body),
      numbers: [],
      exhaustive: node.items.some((item) => item.pattern.some((word) => word.text === "*")),
    },
    state,
    walk,
  );
  narrowAtEnd(onlyDigits(node, state), state);
  return output;
}

function subshell(body: CompoundList, state: State, walk: Walk): Output {
  const inner = fork(state);
  const output = walk.list(body, inner);
  keepFiles(state, inner);
  return output;
}

/** What it reads comes later, and what it prints is read from the first of two descriptors. */
function coproc({ name, body }: Extract<Compound, { type: "Coproc" }>, state: State, walk: Walk): Output {
  const inner = fork(state, { frame: { concurrent: true }, io: { stdin: [UNKNOWN] } });
  const output = body.type === "CompoundList" ? walk.list(body, inner) : walk.node(body, inner);
  keepFiles(state, inner);
  const array = name?.value ?? "COPROC";
  state.bindings.arrays = entered(state.bindings.arrays, array, [COPROCESS]);
  state.io.files = entered(state.io.files, `/dev/fd/${COPROCESS[0]}`, output);
  return [""];
}

/** Numbers of descriptors that nothing else has. */
const COPROCESS = ["1063", "1060"] as const;

function calculated(expression: ArithmeticExpression | undefined, state: State, machine: Machine): void {
  if (expression !== undefined) arithmetic(expression, state, machine);
}

type Branches = {
  readonly conditions: readonly CompoundList[];
  readonly bodies: readonly CompoundList[];
  /** The variables that are shown to be numbers in each body. */
  readonly numbers: readonly (readonly string[])[];
  readonly exhaustive: boolean;
};

/** The conditions in order, then one of the bodies, or none unless they are `exhaustive`. */
function branches({ conditions, bodies, numbers, exhaustive }: Branches, state: State, walk: Walk): Output {
  const output = conditions.flatMap((list) => {
    const before = fork(state);
    const text = walk.list(list, state);
    if (list !== conditions[0]) merge(state, before);
    return text;
  });
  const start = fork(state);
  for (const [at, list] of bodies.entries()) {
    const branch = fork(start);
    narrow(numbers[at] ?? [], branch);
    output.push(...walk.list(list, branch));
    if (at === 0 && exhaustive) continueAs(state, branch);
    else merge(state, branch);
  }
  return alternatives(["", ...output]);
}

const ARITHMETIC_TESTS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

function test(expression: TestExpression, state: State, machine: Machine): void {
  switch (expression.type) {
    case "TestLogical":
      for (const operand of expression.operands) test(operand, state, machine);
      return;
    case "TestNot":
      test(expression.operand, state, machine);
      return;
    case "TestGroup":
      test(expression.expression, state, machine);
      return;
    case "TestUnary":
      for (const text of expandText(expression.operand, state, machine)) {
        if (expression.operator === "-v") evaluated(text, state, machine);
      }
      return;
    case "TestBinary":
      if (expression.operator === "=~") matched(expression.left, expression.right, state, machine);
      for (const text of [expression.left, expression.right].flatMap((word) => expandText(word, state, machine))) {
        if (ARITHMETIC_TESTS.has(expression.operator)) evaluated(named(text, state), state, machine);
      }
  }
}

/** What `=~` assigns, where the pattern is a prefix and all the rest. */
function matched(left: Word, right: Word, state: State, machine: Machine): void {
  const texts = expandText(left, state, machine);
  const text = onlyOf(texts);
  const [, prefix] = /^\^?([\w/.-]*)\(?\.\*\)?\$?$/.exec(unglobbed(right.text)) ?? [];
  const known = prefix !== undefined && text.startsWith(prefix);
  state.bindings.arrays = entered(state.bindings.arrays, "BASH_REMATCH", [
    known ? [text, text.slice(prefix.length)] : [UNKNOWN, UNKNOWN],
  ]);
}

/** The value of a name in arithmetic. */
const named = (text: string, state: State): string => state.bindings.vars.get(text.trim())?.[0] ?? unglobbed(text);

// Loops: a few rounds are followed one by one, and what still changes after them is not known.

/** Twice when the first round changed something a second round would see; what then still changes is not known. */
function loop(lists: readonly CompoundList[], state: State, walk: Walk): Output {
  const output: string[] = [""];
  const start = state.frame.positional;
  for (let round = 0; round < 2; round += 1) {
    const before = fork(state);
    for (const list of lists) output.push(...walk.list(list, state));
    const changed = changedNames(before, state);
    const moved =
      before.location.cwd !== state.location.cwd && before.location.cwd.join("\0") !== state.location.cwd.join("\0");
    const shifted = !isCovered(state.frame.positional, before.frame.positional);
    merge(state, before);
    if (round === 1) {
      const suffixes = suffixesOf(start);
      for (const name of changed) widen(name, state);
      if (moved) state.location.cwd = [...state.location.cwd, UNKNOWN];
      if (shifted)
        state.frame.positional = isCovered(state.frame.positional, suffixes)
          ? suffixes
          : [...state.frame.positional, [UNKNOWN]];
    }
    if (changed.length === 0 && !moved && !shifted) break;
  }
  return alternatives(output);
}

const isCovered = (lists: Lists, by: Lists): boolean =>
  lists === by || lists.every((list) => by.some((other) => isSame(list, other)));

/** All that `shift` can leave of the lists. */
const suffixesOf = (lists: Lists): Lists => lists.flatMap((list) => [...list, ""].map((_, at) => list.slice(at)));

const changedNames = (before: State, { bindings: { vars, arrays } }: State): readonly string[] => [
  ...[...vars].flatMap(([name, values]) => (isSame(before.bindings.vars.get(name), values) ? [] : [name])),
  ...[...arrays].flatMap(([name, lists]) => (before.bindings.arrays.get(name) === lists ? [] : [name])),
];

const isSame = (first: readonly string[] | undefined, second: readonly string[]): boolean =>
  first === second || first?.join("\0") === second.join("\0");

function widen(name: string, state: State): void {
  if (state.bindings.arrays.has(name)) state.bindings.arrays = entered(state.bindings.arrays, name, [[UNKNOWN]]);
  const values = state.bindings.vars.get(name);
  if (values === undefined) return;
  const numeric = values.every((text) => text === SOME || /^-?\d*$/.test(text));
  state.bindings.vars = entered(state.bindings.vars, name, alternatives([...values, numeric ? SOME : UNKNOWN]));
}

const MAX_UNROLLED = 8;
const MAX_ROUNDS = 64;

/** Round after round, each with its own value; it may be left after any of them. */
function unrolled({ name, body }: EachLoop, values: readonly string[], state: State, walk: Walk): Output {
  let output: Output = [""];
  const { rounds } = state.frame;
  state.frame.rounds = rounds * values.length;
  const ends: State[] = [];
  for (const value of values) {
    state.bindings.vars = entered(state.bindings.vars, name.value, [value]);
    output = joined(output, walk.list(body, state));
    ends.push(fork(state));
  }
  if (leaves(body)) for (const end of ends.slice(0, -1)) mergeVariables(state, end);
  state.frame.rounds = rounds;
  return output;
}

function leaves(body: SyntaxNode): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    found ||= node.type === "Command" && /^(break|continue|return|exit)$/.test(node.name?.text ?? "");
    if (!found) forEachChild(node, visit);
  };
  visit(body);
  return found;
}

type EachLoop = Extract<Node, { type: "For" | "Select" }>;

function forEach(loopNode: EachLoop, state: State, walk: Walk): Output {
  const { wordlist, body } = loopNode;
  const name = loopNode.name.value;
  const lines = wordlist === undefined ? state.frame.positional : expandWords(wordlist, state, walk.machine);
  const values = alternatives(lines.flat());
  if (values.length === 0) return [""];
  if (state.bindings.references.has(name) || state.bindings.attributes.get(name)?.includes("n") === true) {
    state.bindings.references = without(state.bindings.references, name);
    state.bindings.vars = entered(state.bindings.vars, name, [UNKNOWN]);
    return loop([body], state, walk);
  }
  state.bindings.arrays = without(state.bindings.arrays, name);
  if (values.length <= MAX_UNROLLED && lines.length === 1 && state.frame.rounds * values.length <= MAX_ROUNDS)
    return unrolled(loopNode, values, state, walk);
  state.bindings.vars = entered(state.bindings.vars, name, values);
  return loop([body], state, walk);
}

// Variables that a test has shown to be numbers: `[[ $n =~ ^[0-9]+$ ]] || exit 1`. From there on they are plain words, also
// where their text came from elsewhere (D-058, D-281).

/** Digits from the first character to the last, with at least one: in bash `^` and `$` are the ends of the whole text. */
const NUMBER =
  /^\^(?:-\?|\[-\+\]\?|\[\+-\]\?)?(?:\[(?:0-9|1-9|\[:digit:\])\](?:\+|\{\d+(?:,\d*)?\})?|\[(?:0-9|\[:digit:\])\]\*(?=\[))+(?:\(?(?:\[\.\]|\\\.)\[(?:0-9|\[:digit:\])\]\+(?:\)\?)?)*\$$/;
const DIGITS = /^\+\((?:\[0-9\]|\[\[:digit:\]\])\)$/;
/** `*[!0-9]*`: anything but digits in it. */
const OTHERS = /^\*\[[!^](?:0-9|\[:digit:\])\]\*$/;

const variableOf = ({ text }: Word): string | undefined => /^"?\$\{?([A-Za-z_]\w*)\}?"?$/.exec(text)?.[1];

/** The variables that are numbers where the test is as `holds` says. */
function inTest(expression: TestExpression, holds: boolean): readonly string[] {
  switch (expression.type) {
    case "TestNot":
      return inTest(expression.operand, expression.negations.length % 2 === 0 ? holds : !holds);
    case "TestGroup":
      return inTest(expression.expression, holds);
    case "TestLogical":
      return (expression.operator === "&&") === holds ? expression.operands.flatMap((one) => inTest(one, holds)) : [];
    case "TestBinary": {
      const { operator, left, right } = expression;
      const isNumber =
        (operator === "=~" && NUMBER.test(right.text)) || (/^==?$/.test(operator) && DIGITS.test(right.text));
      const name = isNumber && holds ? variableOf(left) : undefined;
      return name === undefined ? [] : [name];
    }
    default:
      return [];
  }
}

/** Those that are numbers after the command has succeeded, or failed. */
export function numbersAfter(node: Node, succeeded: boolean): readonly string[] {
  if (node.type === "TestCommand") return inTest(node.expression, succeeded);
  if (node.type === "AndOr")
    return node.operators.every((operator) => (operator === "&&") === succeeded)
      ? node.commands.flatMap((command) => numbersAfter(command, succeeded))
      : [];
  if (node.type !== "Pipeline") return [];
  const [only, ...others] = node.commands;
  const negated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  return only === undefined || others.length > 0 ? [] : numbersAfter(only, negated ? !succeeded : succeeded);
}

/** Of the condition of an `if`. */
function numbersWhere({ commands }: CompoundList, holds: boolean): readonly string[] {
  const [only, ...others] = commands;
  return only === undefined || others.length > 0 || only.background === true ? [] : numbersAfter(only.command, holds);
}

const SPEAKS = /^(?:echo|printf|logger|cat|rm|true|:)$/;

/** Whether the shell certainly ends there. What may leave earlier, such as `return`, is not followed. */
function exits(list: CompoundList, state: State): boolean {
  const names = list.commands.map(({ command, background }) =>
    command.type === "Command" && background !== true ? (command.name?.text ?? "") : "",
  );
  const isOwn = (name: string) => state.bindings.functions.has(name) || state.bindings.aliases.has(name);
  return names.at(-1) === "exit" && names.every((name) => (name === "exit" || SPEAKS.test(name)) && !isOwn(name));
}

/** `|| exit 1`, `|| { echo wrong; exit 1; }`, or a function that does only this. */
export function ends(node: Node, state: State): boolean {
  if (node.type === "BraceGroup") return exits(node.body, state);
  if (node.type !== "Command") return false;
  const name = node.name?.text ?? "";
  if (name === "exit") return !state.bindings.functions.has(name) && !state.bindings.aliases.has(name);
  const [body, ...others] = state.bindings.functions.get(name) ?? [];
  const list = body?.type === "BraceGroup" ? body.body : body?.type === "CompoundList" ? body : undefined;
  return list !== undefined && others.length === 0 && !state.bindings.aliases.has(name) && exits(list, state);
}

/** `case $n in '' | *[!0-9]*) exit 1 ;; esac`: what goes on has only digits. */
function onlyDigits({ word, items }: Extract<Node, { type: "Case" }>, state: State): readonly string[] {
  const name = variableOf(word);
  const [first, ...others] = items;
  if (name === undefined || first === undefined || others.length > 0 || !exits(first.body, state)) return [];
  const patterns = first.pattern.map(({ text }) => text);
  return patterns.some((text) => OTHERS.test(text)) && patterns.some((text) => /^(?:''|"")$/.test(text)) ? [name] : [];
}

/** Where the shell has ended otherwise. Text that runs when it ends sees what was not shown (`trap ... EXIT`). */
export function narrowAtEnd(names: readonly string[], state: State): void {
  for (const name of names) state.io.foreign.checked.add(name);
  narrow(names, state);
}

/** For text that runs when the shell ends, maybe before the test or after it has failed. */
export function widened(state: State): State {
  for (const name of state.io.foreign.checked)
    if (state.bindings.vars.has(name)) state.bindings.vars = entered(state.bindings.vars, name, [UNKNOWN]);
  return state;
}

/** What is known of them is kept; all else is a plain word from here on. */
export function narrow(names: readonly string[], state: State): void {
  for (const name of names) {
    const { vars, arrays, attributes, references } = state.bindings;
    const values = vars.get(name);
    if (values === undefined || arrays.has(name) || attributes.has(name) || references.has(name)) continue;
    if (!values.some((value) => value.includes(UNKNOWN))) continue;
    const kept = values.filter((value) => /^[-+]?\d[\d.]*$/.test(value));
    state.bindings.vars = entered(vars, name, [...kept, SOME]);
  }
}
