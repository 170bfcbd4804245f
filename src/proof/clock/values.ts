// How the value of a word or of an arithmetic expression drifts.
import type { ArithmeticExpression, ArrayValue, Word, WordPart } from "unbash";
import { plainWord } from "../syntax.ts";
import {
  blur,
  blurred,
  compared,
  concatenated,
  count,
  either,
  joined,
  minus,
  moment,
  type Operand,
  plus,
  type Reading,
  STEADY,
  times,
} from "./drift.ts";
import type { ClockScope } from "./scope.ts";

export const readingOf = (word: Word, scope: ClockScope): Reading => partsReading(word.parts ?? [], scope);

export const operandOf = (word: Word, scope: ClockScope): Operand => ({
  reading: readingOf(word, scope),
  literal: plainWord(word),
});

export const arrayReading = (value: Word | ArrayValue, scope: ClockScope): Reading => {
  if (value.type === "Word") return readingOf(value, scope);
  const all = value.elements.map((element) => readingOf(element, scope)).reduce(either, STEADY);
  return { ...all, isCount: true, isNumber: false };
};

const partsReading = (parts: readonly WordPart[], scope: ClockScope): Reading =>
  parts.map((part) => partReading(part, scope)).reduce(concatenated, STEADY);

function partReading(part: WordPart, scope: ClockScope): Reading {
  switch (part.type) {
    case "SimpleExpansion":
      return named(part.text.slice(1), part.pos, scope);
    case "ParameterExpansion": {
      const value = named(part.parameter, part.pos, scope);
      // The length of a number is no moment, that of a list is its own.
      if (part.prefix === "#") return value.isCount ? value : STEADY;
      return part.operation?.type === "Default" ? either(value, readingOf(part.operation.operand, scope)) : value;
    }
    case "CommandExpansion":
    case "ProcessSubstitution":
      return part.script === undefined ? STEADY : scope.walk.output(part.script, scope, STEADY);
    case "ArithmeticExpansion":
      return part.expression === undefined ? STEADY : arithmetic(part.expression, scope).reading;
    case "DoubleQuoted":
    case "LocaleString":
    case "BraceExpansion":
    case "ExtendedGlob":
      return partsReading(part.parts ?? [], scope);
    default:
      return STEADY;
  }
}

export function named(name: string, at: number, { variables, status }: ClockScope): Reading {
  if (name === "?") return count(-status);
  // Each run begins at 0.
  if (name === "SECONDS") return { ...STEADY, own: 1, at };
  if (name === "EPOCHSECONDS" || name === "EPOCHREALTIME") return moment(at);
  return variables.get(name) ?? STEADY;
}

const NAME = /^\$?\{?([A-Za-z_]\w*|[0-9?])\}?$/;
const NUMBER = /^\d+(\.\d+)?$/;
const ORDER = /^(==|!=|<|>|<=|>=)$/;

export function arithmetic(expression: ArithmeticExpression, scope: ClockScope): Operand {
  switch (expression.type) {
    case "ArithmeticWord":
      return numberOrName(expression, scope);
    case "ArithmeticGroup":
      return arithmetic(expression.expression, scope);
    case "ArithmeticCommandExpansion":
      return unnamed(expression.script === undefined ? STEADY : scope.walk.output(expression.script, scope, STEADY));
    case "ArithmeticUnary":
      return unnamed(unary(expression.operator, arithmetic(expression.operand, scope).reading));
    case "ArithmeticTernary": {
      const test = blur(calculated(expression.test, scope));
      const [first, second] = [expression.consequent, expression.alternate].map(
        (one) => arithmetic(one, scope).reading,
      );
      return unnamed(either(count(test), either(first ?? STEADY, second ?? STEADY)));
    }
    case "ArithmeticBinary":
      return unnamed(binary(expression, scope));
  }
}

const unnamed = (reading: Reading): Operand => ({ reading, literal: null });

function numberOrName(word: Extract<ArithmeticExpression, { type: "ArithmeticWord" }>, scope: ClockScope): Operand {
  if (NUMBER.test(word.value)) return { reading: STEADY, literal: word.value };
  if (word.parts !== undefined) return unnamed(partsReading(word.parts, scope));
  const [, name] = NAME.exec(word.value) ?? [];
  return unnamed(name === undefined ? STEADY : named(name, word.pos, scope));
}

function unary(operator: string, value: Reading): Reading {
  if (operator === "-") return times(value, -1);
  return operator === "!" ? count(-answerOf(value)) : value;
}

function binary(expression: Extract<ArithmeticExpression, { type: "ArithmeticBinary" }>, scope: ClockScope): Reading {
  const { operator } = expression;
  if (operator === "&&" || operator === "||" || ORDER.test(operator)) return count(calculated(expression, scope));
  const [left, right] = [arithmetic(expression.left, scope), arithmetic(expression.right, scope)];
  if (operator === "=" || operator === ",") return right.reading;
  if (/^\+=?$/.test(operator)) return plus(left.reading, right.reading);
  if (/^-=?$/.test(operator)) return minus(left.reading, right.reading);
  const [given, factor] = left.literal === null ? [left.reading, right.literal] : [right.reading, left.literal];
  if (operator === "*" && factor !== null) return times(given, Number(factor));
  if (operator === "/" && right.literal !== null) return times(left.reading, 1 / Number(right.literal));
  return either(blurred(left.reading), blurred(right.reading));
}

/** The answer of `(( expression ))`. */
export function calculated(expression: ArithmeticExpression, scope: ClockScope): number {
  if (expression.type === "ArithmeticGroup") return calculated(expression.expression, scope);
  if (expression.type === "ArithmeticUnary" && expression.operator === "!")
    return -calculated(expression.operand, scope);
  if (expression.type === "ArithmeticBinary") {
    const { operator, left, right } = expression;
    if (operator === "&&" || operator === "||") return joined(calculated(left, scope), calculated(right, scope));
    if (ORDER.test(operator))
      return compared(arithmetic(left, scope), operator, arithmetic(right, scope), scope.isInLoop);
  }
  return answerOf(arithmetic(expression, scope).reading);
}

/** A number is true where it is not 0. */
const answerOf = (value: Reading): number => (value.isCount ? value.drift : blur(value.drift));
