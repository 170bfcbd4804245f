// Walks compound commands: every branch is walked, and the state after any of them may hold afterwards.
import type { ArithmeticExpression, CompoundList, TestExpression, Word } from "unbash";
import { alternatives, onlyOf, UNKNOWN, unglobbed, unknownFrom } from "../words/symbols.ts";
import { arithmetic, evaluated } from "./arithmetic.ts";
import { expandText } from "./expand.ts";
import { exits } from "./leaving.ts";
import { forEach, loop } from "./loops.ts";
import type { Machine, Node, Output, Walk } from "./machine.ts";
import { merge } from "./merge.ts";
import { redirected } from "./redirects.ts";
import { narrow, narrowAtEnd, numbersWhere, oneOf, onlyDigits, type Shown } from "./shown-numbers.ts";
import { continueAs, entered, fork, keepFiles, type SourceFile, type State } from "./state.ts";

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
      numbers: node.items.map(({ pattern }) => oneOf(node.word, pattern)),
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
  readonly numbers: readonly (readonly Shown[])[];
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
  const ended: State[] = [];
  let isOne = !exhaustive;
  for (const [at, list] of bodies.entries()) {
    const branch = fork(start);
    narrow(numbers[at] ?? [], branch);
    output.push(...walk.list(list, branch));
    if (exits(list, branch)) ended.push(branch);
    else if (isOne) merge(state, branch);
    else continueAs(state, branch);
    isOne ||= !ended.includes(branch);
  }
  for (const branch of ended) walk.machine.ends(state, branch);
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
    known ? [text, text.slice(prefix.length)] : [unknownFrom(texts), unknownFrom(texts)],
  ]);
}

/** The value of a name in arithmetic. */
const named = (text: string, state: State): string => state.bindings.vars.get(text.trim())?.[0] ?? unglobbed(text);
