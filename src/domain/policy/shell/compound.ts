// Compound commands: every branch is walked, and what any of them leaves behind holds afterwards.
import type { ArithmeticExpression, CompoundList, TestExpression, Word } from "unbash";
import { arithmetic, evaluated } from "./arithmetic.ts";
import { expandText, expandWords } from "./expand.ts";
import type { Machine, Node, Output, Walk } from "./machine.ts";
import { redirected } from "./redirects.ts";
import { entered, fork, merge, type State, without } from "./state.ts";
import { alternatives } from "./symbols.ts";

type Compound = Exclude<Node, { type: "Command" | "Pipeline" | "AndOr" }>;

export function walkCompound(node: Compound, state: State, walk: Walk): Output {
  switch (node.type) {
    case "BraceGroup":
      return walk.list(node.body, state);
    case "Subshell":
      return walk.list(node.body, fork(state));
    case "Function":
      state.functions = entered(state.functions, node.name.value, node.body);
      return [""];
    case "Redirected":
      return redirected(node.redirects, state, walk.machine, (inner) => walkCompound(node.command, inner, walk));
    case "Coproc":
      return coproc(node.body, fork(state, { concurrent: true }), walk);
    case "If":
      return branches(
        [node.clause, node.then, ...node.elif.flatMap((elif) => [elif.clause, elif.then]), node.else],
        state,
        walk,
      );
    case "Case":
      for (const word of [node.word, ...node.items.flatMap((item) => item.pattern)]) {
        expandText(word, state, walk.machine);
      }
      return branches(
        node.items.map((item) => item.body),
        state,
        walk,
      );
    case "While":
      return loop([node.clause, node.body], state, walk);
    case "For":
    case "Select":
      return forEach(node.name.value, node.wordlist, node.body, state, walk);
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

const coproc = (body: Node | CompoundList, state: State, walk: Walk): Output =>
  body.type === "CompoundList" ? walk.list(body, state) : walk.node(body, state);

function calculated(expression: ArithmeticExpression | undefined, state: State, machine: Machine): void {
  if (expression !== undefined) arithmetic(expression, state, machine);
}

/** Conditions and bodies in order, each of them perhaps not run. */
function branches(lists: readonly (CompoundList | undefined)[], state: State, walk: Walk): Output {
  const output: string[] = [""];
  const start = fork(state);
  for (const list of lists) {
    if (list === undefined) continue;
    const branch = fork(start);
    output.push(...walk.list(list, branch));
    merge(state, branch);
    merge(start, branch);
  }
  return alternatives(output);
}

/** Twice when the first round changed something a second round would see. */
function loop(lists: readonly CompoundList[], state: State, walk: Walk): Output {
  const output: string[] = [""];
  for (let round = 0; round < 2; round += 1) {
    const before = fork(state);
    for (const list of lists) output.push(...walk.list(list, state));
    const changed =
      [...state.vars].some(([name, values]) => before.vars.get(name) !== values) || before.cwd !== state.cwd;
    merge(state, before);
    if (!changed) break;
  }
  return alternatives(output);
}

function forEach(
  name: string,
  wordlist: readonly Word[] | undefined,
  body: CompoundList,
  state: State,
  walk: Walk,
): Output {
  const lines = wordlist === undefined ? [state.positional] : expandWords(wordlist, state, walk.machine);
  const values = alternatives(lines.flat());
  if (values.length === 0) return [""];
  state.arrays = without(state.arrays, name);
  state.vars = entered(state.vars, name, values);
  return loop([body], state, walk);
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
      for (const text of [expression.left, expression.right].flatMap((word) => expandText(word, state, machine))) {
        if (ARITHMETIC_TESTS.has(expression.operator)) evaluated(named(text, state), state, machine);
      }
  }
}

/** A name in arithmetic stands for its value. */
const named = (text: string, state: State): string => state.vars.get(text.trim())?.[0] ?? text;
