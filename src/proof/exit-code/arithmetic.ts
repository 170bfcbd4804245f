// Calculates arithmetic expressions over literals and known variables, null where the text does not show the value.
import { type ArithmeticExpression, forEachChild, type SyntaxNode } from "unbash";
import { isOwn, type ShellState, withVariable } from "./state.ts";

type Calculation = { readonly value: number | null; readonly state: ShellState };

const UNKNOWN = Symbol("unknown");

const MAX_DEPTH = 100;

type Cell = { state: ShellState };

/** Where the value is unknown, so is every variable that the expression assigns. */
export function calculate(expression: ArithmeticExpression, state: ShellState): Calculation {
  const cell: Cell = { state };
  try {
    return { value: numberOf(expression, cell, 0), state: cell.state };
  } catch (error) {
    if (error !== UNKNOWN) throw error;
  }
  const forgotten = assignedNames(expression).reduce((known, name) => withVariable(known, name, null), state);
  return { value: null, state: forgotten };
}

function numberOf(expression: ArithmeticExpression, cell: Cell, depth: number): number {
  if (depth > MAX_DEPTH) throw UNKNOWN;
  const inner = (part: ArithmeticExpression): number => numberOf(part, cell, depth + 1);
  switch (expression.type) {
    case "ArithmeticGroup":
      return inner(expression.expression);
    case "ArithmeticTernary":
      return inner(expression.test) !== 0 ? inner(expression.consequent) : inner(expression.alternate);
    case "ArithmeticUnary":
      return unary(expression, inner, cell);
    case "ArithmeticBinary":
      return binary(expression, inner, cell);
    case "ArithmeticWord":
      return wordValue(expression.value, cell.state);
    default:
      throw UNKNOWN;
  }
}

type Inner = (part: ArithmeticExpression) => number;

type Unary = Extract<ArithmeticExpression, { type: "ArithmeticUnary" }>;

type Binary = Extract<ArithmeticExpression, { type: "ArithmeticBinary" }>;

function unary({ operator, operand, prefix }: Unary, inner: Inner, cell: Cell): number {
  const value = inner(operand);
  if (operator === "++" || operator === "--") {
    const next = value + (operator === "++" ? 1 : -1);
    assign(operand, next, cell);
    return prefix ? next : value;
  }
  if (operator === "-") return -value;
  if (operator === "+") return value;
  if (operator === "!") return value === 0 ? 1 : 0;
  throw UNKNOWN;
}

function binary({ operator, left, right }: Binary, inner: Inner, cell: Cell): number {
  if (operator === "&&") return inner(left) !== 0 && inner(right) !== 0 ? 1 : 0;
  if (operator === "||") return inner(left) !== 0 || inner(right) !== 0 ? 1 : 0;
  if (operator === "=") return assign(left, inner(right), cell);
  if (operator === ",") {
    inner(left);
    return inner(right);
  }
  const change = /^([-+*/%])=$/.exec(operator)?.[1];
  const value = bounded(operated(inner(left), change ?? operator, inner(right)));
  return change === undefined ? value : assign(left, value, cell);
}

function bounded(value: number): number {
  if (!Number.isSafeInteger(value)) throw UNKNOWN;
  return value;
}

function operated(left: number, operator: string, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return Math.trunc(left / right);
    case "%":
      return left % right;
    case "==":
      return left === right ? 1 : 0;
    case "!=":
      return left !== right ? 1 : 0;
    case "<":
      return left < right ? 1 : 0;
    case ">":
      return left > right ? 1 : 0;
    case "<=":
      return left <= right ? 1 : 0;
    case ">=":
      return left >= right ? 1 : 0;
    default:
      throw UNKNOWN;
  }
}

const NAME = /^(?:\$\{?)?([A-Za-z_]\w*)\}?$/;

function assign(target: ArithmeticExpression, value: number, cell: Cell): number {
  const name = target.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(target.value) ? target.value : null;
  if (name === null) throw UNKNOWN;
  cell.state = withVariable(cell.state, name, String(value));
  return value;
}

/** A number with a leading zero is octal: left alone. */
function wordValue(text: string, state: ShellState): number {
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  const [, name] = NAME.exec(text) ?? [];
  if (name === undefined || isOwn(name)) throw UNKNOWN;
  const held = state.vars.get(name) ?? null;
  if (held === "") return 0;
  if (held === null || !/^-?(0|[1-9]\d{0,14})$/.test(held)) throw UNKNOWN;
  return Number(held);
}

function assignedNames(expression: ArithmeticExpression): readonly string[] {
  const names: string[] = [];
  const note = (target: ArithmeticExpression): void => {
    const [, name] = target.type === "ArithmeticWord" ? (/^([A-Za-z_]\w*)/.exec(target.value) ?? []) : [];
    if (name !== undefined) names.push(name);
  };
  const visit = (node: SyntaxNode): void => {
    if (node.type === "ArithmeticUnary" && /^(\+\+|--)$/.test(node.operator)) note(node.operand);
    if (node.type === "ArithmeticBinary" && /^([-+*/%&|^]|<<|>>)?=$/.test(node.operator)) note(node.left);
    forEachChild(node, visit);
  };
  visit(expression);
  return names;
}
