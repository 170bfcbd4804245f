// `test`, `[` and `[[ ]]`: true, false, or null where the machine decides.
import type { TestExpression, Word } from "unbash";
import { type Expansion, expandText } from "./expand.ts";
import type { KnownText, ShellState } from "./state.ts";

export type Truth = boolean | null;

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const INTEGER = /^[ \t]*[-+]?\d{1,15}[ \t]*$/;

/** The words after `test`, by the number of words as POSIX has it. */
export function tested(words: readonly KnownText[], state: ShellState): Truth {
  const [first = null, second = null, third = null] = words;
  switch (words.length) {
    case 0:
      return false;
    case 1:
      return first === null ? null : first !== "";
    case 2:
      return first === "!" ? not(tested(words.slice(1), state)) : unary(first, second, state);
    case 3: {
      const truth = binary(first, second, third);
      if (truth !== undefined) return truth;
      if (first === "!") return not(tested(words.slice(1), state));
      return first === "(" && third === ")" ? tested([second], state) : null;
    }
    case 4:
      return first === "!" ? not(tested(words.slice(1), state)) : null;
    default:
      return null;
  }
}

function unary(operator: KnownText, operand: KnownText, { vars }: ShellState): Truth {
  if (operator === "-v") return operand !== null && typeof vars.get(operand) === "string" ? true : null;
  if (operand === null) return null;
  if (operator === "-n") return operand !== "";
  return operator === "-z" ? operand === "" : null;
}

/** In the place of a text that another task chooses: there it may be equal to anything. */
export const ANY_TEXT = "\u{F8FF}";

const isOpen = (...texts: readonly KnownText[]): boolean => texts.some((text) => text?.includes(ANY_TEXT));

const COMPARED = /^(=|==|!=|-eq|-ne|-lt|-le|-gt|-ge)$/;
const OTHER = /^(<|>|-nt|-ot|-ef)$/;

/** Undefined where the word in the middle is no operator. */
function binary(left: KnownText, operator: KnownText, right: KnownText): Truth | undefined {
  if (operator === null || OTHER.test(operator)) return null;
  if (operator === "-a" || operator === "-o") return null;
  if (!COMPARED.test(operator)) return undefined;
  return left === null || right === null ? null : compared(left, operator, right);
}

function compared(left: string, operator: string, right: string): Truth {
  if (!operator.startsWith("-")) {
    const equal = left === right || (isOpen(left, right) ? null : false);
    return operator === "!=" ? not(equal) : equal;
  }
  if (!INTEGER.test(left) || !INTEGER.test(right)) return null;
  const [a, b] = [Number(left), Number(right)];
  const truths: Record<string, boolean> = {
    "-eq": a === b,
    "-ne": a !== b,
    "-lt": a < b,
    "-le": a <= b,
    "-gt": a > b,
    "-ge": a >= b,
  };
  return truths[operator] ?? null;
}

/** `[[ ]]`. Every word is expanded, which can only add an error that may end the shell. */
export function evaluatedTest(expression: TestExpression, expansion: Expansion): Truth {
  switch (expression.type) {
    case "TestGroup":
      return evaluatedTest(expression.expression, expansion);
    case "TestNot": {
      const truth = evaluatedTest(expression.operand, expansion);
      return expression.negations.length % 2 === 1 ? not(truth) : truth;
    }
    case "TestLogical":
      return logical(
        expression.operator,
        expression.operands.map((operand) => evaluatedTest(operand, expansion)),
      );
    case "TestUnary":
      return unary(expression.operator, expandText(expression.operand, expansion), expansion.state);
    case "TestBinary":
      return matched(expression, expansion);
  }
}

function logical(operator: "&&" | "||", truths: readonly Truth[]): Truth {
  const decisive = operator === "||";
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

type Binary = Extract<TestExpression, { type: "TestBinary" }>;

function matched({ left, operator, right }: Binary, expansion: Expansion): Truth {
  const text = expandText(left, expansion);
  if (!COMPARED.test(operator)) {
    expandText(right, expansion);
    return null;
  }
  if (operator.startsWith("-")) {
    const other = expandText(right, expansion);
    // Bash calculates here: a leading zero is octal.
    const isPlain = (value: KnownText) => value !== null && /^-?(0|[1-9]\d{0,14})$/.test(value);
    return isPlain(text) && isPlain(other) ? compared(text ?? "", operator, other ?? "") : null;
  }
  const truth = matchesWord(text, right, expansion);
  return operator === "!=" ? not(truth) : truth;
}

/** More of them would take too long. */
const MAX_STARS = 3;

/** Unquoted `*` and `?` are patterns; other patterns are left alone. */
export function matchesWord(text: KnownText, pattern: Word, expansion: Expansion): Truth {
  const pieces = (pattern.parts ?? []).map((part): string | null => {
    if (part.type === "Glob") return part.kind === "star" ? "[\\s\\S]*" : part.kind === "question" ? "[\\s\\S]" : null;
    const known = expandText({ ...pattern, text: part.text, parts: [part] }, expansion);
    const isPattern = /^(Simple|Parameter|Command)Expansion$/.test(part.type) && /[*?[\]\\+@!(]/.test(known ?? "");
    return known === null || isPattern ? null : escaped(known);
  });
  if (pattern.parts === undefined) pieces.push(escaped(pattern.value));
  if (pieces.length === 1 && pieces[0] === "[\\s\\S]*") return true;
  if (text === null || pieces.includes(null) || pieces.filter((piece) => piece?.startsWith("[")).length > MAX_STARS)
    return null;
  return new RegExp(`^${pieces.join("")}$`, "u").test(text) || (isOpen(text, ...pieces) ? null : false);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
