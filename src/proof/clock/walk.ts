// Follows a check to its exit code: which answers decide it, and which of them are turned round on the way.
import type { AndOr, Command, CompoundList, If, Script, SyntaxNode } from "unbash";
import { programName, visit, wordsOf } from "../syntax.ts";
import { blur, either, joined, joinedAll, type Reading, STEADY } from "./drift.ts";
import { chosen, endOf } from "./ends.ts";
import { called, inputOf, learned } from "./enter.ts";
import { innerScript, isFedShell, launched, letExpressions } from "./inner.ts";
import { learn } from "./learn.ts";
import { output } from "./outputs.ts";
import { programAnswer } from "./programs.ts";
import { type ClockScope, type ClockWalk, MAX_DEPTH, spend } from "./scope.ts";
import { expressionAnswer } from "./tests.ts";
import { calculated, readingOf } from "./values.ts";

type List = Script | CompoundList;

export const WALK: ClockWalk = { answer, output, learn };

function answer(node: SyntaxNode, scope: ClockScope, given: Reading): number {
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return listAnswer(node, scope, given);
    case "Statement":
      // `wait` may ask for it.
      return node.background === true ? blur(answer(node.command, scope, given)) : answer(node.command, scope, given);
    case "AndOr":
      return chainAnswer(node, scope, given);
    case "Pipeline":
      return pipelineAnswer(node, scope, given);
    case "Command":
      return commandAnswer(node, scope, inputOf(node.redirects, scope, given));
    case "Redirected":
      return answer(node.command, scope, inputOf(node.redirects, scope, given));
    case "TestCommand":
      return expressionAnswer(node.expression, scope);
    case "ArithmeticCommand":
      return node.expression === undefined ? 0 : calculated(node.expression, scope);
    case "If":
      return ifAnswer(node, scope, given, true);
    case "BraceGroup":
    case "Subshell":
      return joined(answer(node.body, scope, given), blur(given.drift));
    default:
      return loopAnswer(node, { ...scope, isInLoop: true }, given);
  }
}

function loopAnswer(node: SyntaxNode, scope: ClockScope, given: Reading): number {
  const fed = blur(given.drift);
  if (node.type === "While") {
    const ends = answer(node.clause, scope, STEADY) * (node.kind === "until" ? 1 : -1);
    return joinedAll([ends, answer(node.body, scope, STEADY), fed]);
  }
  if (node.type === "Case") {
    const bodies = node.items.map(({ body }) => answer(body, scope, STEADY));
    return joinedAll([blur(readingOf(node.word, scope).drift), ...bodies, fed]);
  }
  if (node.type === "For" || node.type === "Select") {
    const words = (node.wordlist ?? []).map((word) => readingOf(word, scope)).reduce(either, STEADY);
    return joinedAll([blur(words.drift), answer(node.body, scope, STEADY), fed]);
  }
  if (node.type !== "ArithmeticFor") return 0;
  const test = node.test === undefined ? 0 : blur(calculated(node.test, scope));
  return joinedAll([test, answer(node.body, scope, STEADY), fed]);
}

/** The status of a list is that of its last command, unless one before it ends the check. */
function listAnswer({ commands }: List, scope: ClockScope, given: Reading): number {
  let strict = false;
  let status = 0;
  let all = 0;
  for (const [at, statement] of commands.entries()) {
    const isLast = at === commands.length - 1;
    const here = { ...scope, status };
    const { command } = statement;
    strict ||= command.type === "Command" && isStrict(command);
    status = command.type === "If" && !isLast ? ifAnswer(command, here, given, false) : answer(statement, here, given);
    if (isLast || strict || statement.background === true || mayLeave(statement)) all = joined(all, status);
  }
  return all;
}

const isStrict = (command: Command): boolean =>
  programName(command) === "set" && wordsOf(command).some(({ text }) => /^-[a-z]*e|^errexit$/.test(text));

function mayLeave(node: SyntaxNode): boolean {
  let leaves = false;
  visit(node, (inner) => {
    leaves ||= inner.type === "While";
    leaves ||= inner.type === "Command" && /^(exit|return|break|continue|exec|trap)$/.test(programName(inner) ?? "");
  });
  return leaves;
}

function chainAnswer({ commands, operators }: AndOr, scope: ClockScope, given: Reading): number {
  let left = 0;
  let ends = 0;
  for (const [at, command] of commands.entries()) {
    const operator = operators[at - 1];
    const end = endOf(command, true);
    if (operator === undefined) left = answer(command, scope, given);
    else if (endOf(command, false) !== null) {
      const turns = (operator === "&&") === (end === "red");
      ends = joined(ends, turns ? -left : left);
      left = 0;
    } else if (end === null) left = joined(left, answer(command, { ...scope, status: left }, given));
    // `a && false`, `a || true`.
    else if ((operator === "&&") === (end === "red")) left = 0;
  }
  return joined(ends, left);
}

/** `pipefail` is on: each command of a pipeline decides. */
function pipelineAnswer(
  { commands, prefixes }: Extract<SyntaxNode, { type: "Pipeline" }>,
  scope: ClockScope,
  first: Reading,
) {
  let given = first;
  let all = 0;
  for (const command of commands) {
    all = joined(all, answer(command, scope, given));
    given = output(command, scope, given);
  }
  const isTurned = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  return isTurned ? -all : all;
}

function ifAnswer(node: If, scope: ClockScope, given: Reading, isLast: boolean): number {
  const branches = [node, ...node.elif];
  const ends = branches.map(({ then }) => endOf(then, isLast));
  const last = node.else === undefined ? (isLast ? "green" : null) : endOf(node.else, isLast);
  const leaves = isLast || mayLeave(node);
  const answers = branches.map(({ clause, then }, at) => {
    const rest = [...ends.slice(at + 1), last];
    const otherwise = rest.every((end) => end === rest[0]) ? (rest[0] ?? null) : null;
    const condition = answer(clause, scope, given);
    const choice = leaves ? chosen(condition, ends[at] ?? null, otherwise) : 0;
    return joined(choice, ends[at] === null ? answer(then, { ...scope, status: condition }, given) : 0);
  });
  const otherwise = node.else === undefined || last !== null ? 0 : answer(node.else, scope, given);
  return joinedAll([...answers, otherwise]);
}

function commandAnswer(command: Command, scope: ClockScope, given: Reading): number {
  spend(scope);
  const body = scope.functions.get(programName(command) ?? "");
  if (body !== undefined) return answer(body, called(command, body, scope), given);
  if (scope.depth >= MAX_DEPTH) return Number.NaN;
  const inner = innerScript(command);
  if (inner !== null) {
    const found = answer(inner, learned(inner, scope), given);
    return programName(command) === "trap" ? blur(found) : found;
  }
  if (isFedShell(command)) return Number.NaN;
  const calculates = letExpressions(command).at(-1);
  if (calculates !== undefined) return calculated(calculates, scope);
  const started = launched(command);
  return started === null ? programAnswer(command, scope, given) : commandAnswer(started, scope, given);
}
