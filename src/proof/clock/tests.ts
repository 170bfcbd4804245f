// How the answer of `[[ ... ]]`, `[ ... ]` and `test` drifts.
import type { TestExpression, Word } from "unbash";
import { plainWord } from "../syntax.ts";
import { blur, blurred, compared, either, isThere, joinedAll, type Operand, STEADY } from "./drift.ts";
import type { ClockScope } from "./scope.ts";
import { named, operandOf, readingOf } from "./values.ts";

export function expressionAnswer(expression: TestExpression, scope: ClockScope): number {
  switch (expression.type) {
    case "TestUnary":
      return unary(expression.operator, expression.operand, scope);
    case "TestBinary":
      return binary(expression.left, expression.operator, expression.right, scope);
    case "TestLogical":
      return joinedAll(expression.operands.map((one) => expressionAnswer(one, scope)));
    case "TestNot": {
      const answer = expressionAnswer(expression.operand, scope);
      return expression.negations.length % 2 === 1 ? -answer : answer;
    }
    case "TestGroup":
      return expressionAnswer(expression.expression, scope);
  }
}

function unary(operator: string, operand: Word, scope: ClockScope): number {
  const reading = readingOf(operand, scope);
  if (operator === "-n" || operator === "-z") return isThere(reading) * (operator === "-n" ? 1 : -1);
  if (/^-[vto]$/.test(operator)) return 0;
  // A file that has the moment in its name was made at that moment.
  return reading.drift > 0 && !reading.isCount ? -1 : blur(reading.drift);
}

function binary(left: Word, operator: string, right: Word, scope: ClockScope): number {
  if (operator === "-nt" || operator === "-ot") {
    const [first, second] = [left, right].map(({ text }) => Number(scope.touched.has(text)));
    const newer = (first ?? 0) - (second ?? 0);
    return operator === "-nt" ? newer : -newer;
  }
  if (operator === "-ef") return 0;
  const isOfNumbers = /^-[a-z]/.test(operator);
  const [first, second] = [left, right].map((word) => wordOf(word, isOfNumbers, scope));
  return first === undefined || second === undefined ? 0 : compared(first, operator, second, scope.isInLoop);
}

/** `[[ age -gt 5 ]]`, `[[ now-start -gt 5 ]]`. */
function wordOf(word: Word, isNumber: boolean, scope: ClockScope): Operand {
  const operand = operandOf(word, scope);
  if (!isNumber || operand.literal === null) return operand;
  const names = [...operand.literal.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name);
  if (names.length === 0) return operand;
  const values = names.map((name) => named(name, word.pos, scope));
  const isAlone = names[0] === operand.literal;
  return { reading: values.map((one) => (isAlone ? one : blurred(one))).reduce(either, STEADY), literal: null };
}

const BINARY = /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** `test a -gt b -a ! -z c`, without the closing bracket. */
export function wordsAnswer(words: readonly Word[], scope: ClockScope): number {
  const texts = words.map((word) => plainWord(word));
  const parts: Word[][] = [[]];
  let turnsGroup = false;
  for (const [at, word] of words.entries()) {
    const text = texts[at];
    turnsGroup ||= text === "!" && texts[at + 1] === "(";
    if ((text === "-a" || text === "-o") && at > 0) parts.push([]);
    else if (text !== "(" && text !== ")") parts.at(-1)?.push(word);
  }
  const answer = joinedAll(parts.map((part) => partAnswer(part, scope)));
  return turnsGroup ? blur(answer) : answer;
}

function partAnswer(words: readonly Word[], scope: ClockScope): number {
  const [first, second, third] = words;
  if (first === undefined) return 0;
  const operator = second === undefined ? null : plainWord(second);
  if (second !== undefined && third !== undefined && operator !== null && BINARY.test(operator))
    return binary(first, operator, third, scope);
  const text = plainWord(first);
  if (text === "!") return -partAnswer(words.slice(1), scope);
  if (second === undefined) return isThere(readingOf(first, scope));
  return text === null ? Number.NaN : unary(text, second, scope);
}
