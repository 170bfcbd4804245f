// What the assignments of a check put into its variables, also where a condition decides whether they are made.
import type { SyntaxNode } from "unbash";
import { forEachChild } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";
import { blurred, either, joined, lines, type Reading, STEADY } from "./drift.ts";
import { inputOf } from "./enter.ts";
import { letExpressions } from "./inner.ts";
import { type ClockScope, spend } from "./scope.ts";
import { arithmetic, arrayReading, readingOf } from "./values.ts";

/** `condition` is the drift of what decides whether the node is run. */
export function learn(node: SyntaxNode, scope: ClockScope): void {
  walk(node, scope, 0);
}

function walk(node: SyntaxNode, scope: ClockScope, condition: number): void {
  spend(scope);
  const put = (name: string, value: Reading): void => {
    const set = condition === 0 ? value : either(blurred(value), lines(Number.NaN));
    scope.variables.set(name, either(scope.variables.get(name) ?? STEADY, set));
  };
  if (node.type === "Assignment") put(node.name, arrayReading(node.value, scope));
  if (node.type === "For") for (const word of node.wordlist ?? []) put(node.name.value, readingOf(word, scope));
  if (node.type === "ArithmeticBinary" && node.operator === "=" && node.left.type === "ArithmeticWord")
    put(node.left.value, arithmetic(node.right, scope).reading);
  if (node.type === "Pipeline") fed(node, scope, put);
  if (node.type === "Command") {
    const given = inputOf(node.redirects, scope, STEADY);
    for (const name of readNames(node)) put(name, given);
    if (programName(node) === "printf" && plainWord(wordsOf(node)[0]) === "-v")
      put(plainWord(wordsOf(node)[1]) ?? "", scope.walk.output(node, scope, STEADY));
    for (const expression of letExpressions(node)) walk(expression, scope, condition);
  }
  if (node.type === "Script" || node.type === "CompoundList") statements(node.commands, scope, condition);
  else children(node, scope, condition);
}

type Put = (name: string, value: Reading) => void;

function statements(commands: readonly SyntaxNode[], scope: ClockScope, condition: number): void {
  let status = 0;
  for (const statement of commands) {
    const here = { ...scope, status };
    walk(statement, here, condition);
    status = scope.walk.answer(statement, here, STEADY);
  }
}

function children(node: SyntaxNode, scope: ClockScope, condition: number): void {
  const inLoop = { ...scope, isInLoop: true };
  if (node.type === "AndOr") {
    let before = condition;
    for (const command of node.commands) {
      walk(command, scope, before);
      before = joined(before, scope.walk.answer(command, scope, STEADY));
    }
  } else if (node.type === "If") {
    const clauses = [node.clause, ...node.elif.map(({ clause }) => clause)];
    const decides = clauses.map((clause) => scope.walk.answer(clause, scope, STEADY)).reduce(joined, condition);
    for (const clause of clauses) walk(clause, scope, condition);
    const branches = [node.then, ...node.elif.map(({ then }) => then), ...(node.else === undefined ? [] : [node.else])];
    for (const branch of branches) walk(branch, scope, decides);
  } else if (node.type === "While") {
    walk(node.clause, inLoop, condition);
    walk(node.body, inLoop, joined(condition, scope.walk.answer(node.clause, inLoop, STEADY)));
  } else {
    const inner = node.type === "For" || node.type === "ArithmeticFor" ? inLoop : scope;
    forEachChild(node, (child) => walk(child, inner, condition));
  }
}

/** `find ... | read x`, `a | while read x`. */
function fed({ commands }: Extract<SyntaxNode, { type: "Pipeline" }>, scope: ClockScope, put: Put): void {
  let given = STEADY;
  for (const command of commands) {
    const reader = command.type === "While" ? command.clause : command;
    visitCommands(reader, (one) => {
      for (const name of readNames(one)) put(name, given);
    });
    given = scope.walk.output(command, scope, given);
  }
}

function visitCommands(node: SyntaxNode, see: (command: Extract<SyntaxNode, { type: "Command" }>) => void): void {
  if (node.type === "Command") see(node);
  else forEachChild(node, (child) => visitCommands(child, see));
}

const readNames = (command: Extract<SyntaxNode, { type: "Command" }>): string[] =>
  /^(read|mapfile|readarray)$/.test(programName(command) ?? "")
    ? wordsOf(command).flatMap((word) => plainWord(word) ?? [])
    : [];
