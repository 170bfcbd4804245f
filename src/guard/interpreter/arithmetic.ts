// Arithmetic: its value where it is known, and what evaluating it runs. Bash evaluates the text of variables again, and a
// command substitution inside an index runs. So an assignment may evaluate, expand or run its text.
import { type ArithmeticExpression, type ArithmeticWord, parse, type Script } from "unbash";
import { alternatives, hasGlob, isForeign, isUnknown, onlyOf, SOME } from "../words/symbols.ts";
import type { Machine } from "./machine.ts";
import { deeper, entered, fork, type State, startedShell, targetOf, UNSEALED, without } from "./state.ts";

const MAX_NESTED = 8;
const MAX_LEVELS = 1_000;
const MAX_TEXT = 256;

type Evaluate = (expression: ArithmeticExpression, state: State, machine: Machine, level?: number) => number | null;

/** Judges what evaluating the expression could run. Returns its value, null where that is unknown. */
export const arithmetic: Evaluate = (expression, state, machine, level = 0) => {
  if (level > MAX_LEVELS) {
    machine.report("ask", "cap.depth", `arithmetic is nested deeper than ${MAX_LEVELS} levels; write it more simply`);
    return null;
  }
  switch (expression.type) {
    case "ArithmeticCommandExpansion":
      return substituted(expression.script, state, machine);
    case "ArithmeticGroup":
      return arithmetic(expression.expression, state, machine, level + 1);
    case "ArithmeticTernary":
      for (const part of [expression.test, expression.consequent, expression.alternate])
        arithmetic(part, state, machine, level + 1);
      return null;
    case "ArithmeticUnary": {
      const value = arithmetic(expression.operand, state, machine, level + 1);
      if (/^(\+\+|--)$/.test(expression.operator)) assign(expression.operand, null, state);
      return value === null ? null : expression.operator === "-" ? -value : expression.operator === "+" ? value : null;
    }
    case "ArithmeticBinary": {
      const left = arithmetic(expression.left, state, machine, level + 1);
      const right = arithmetic(expression.right, state, machine, level + 1);
      const assigns = /^[-+*/%&|^<>]*=$/.test(expression.operator) && !/^[<>=!]=$/.test(expression.operator);
      if (assigns) assign(expression.left, expression.operator === "=" ? right : null, state);
      return left === null || right === null || assigns ? null : operate(left, expression.operator, right);
    }
    case "ArithmeticWord":
      return word(expression, state, machine);
  }
};

/** What a command prints is evaluated too. */
function substituted(script: Script | undefined, state: State, machine: Machine): number | null {
  if (script === undefined) return null;
  const texts = machine.runScript(script, deeper(state));
  const [only = null, ...others] = texts.map((text) => evaluated(text.trim(), state, machine));
  return others.length === 0 ? only : null;
}

function operate(left: number, operator: string, right: number): number | null {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  if (operator === "/" && right !== 0) return Math.trunc(left / right);
  return operator === "%" && right !== 0 ? left % right : null;
}

function assign(target: ArithmeticExpression, value: number | null, state: State): void {
  if (target.type !== "ArithmeticWord" || !/^[A-Za-z_]\w*$/.test(target.value)) return;
  const name = targetOf(state, target.value);
  state.bindings.vars = entered(state.bindings.vars, name, value === null ? [SOME] : [String(value)]);
}

function word({ value, parts }: ArithmeticWord, state: State, machine: Machine): number | null {
  if (/^\d{1,9}$/.test(value)) return value.startsWith("0") && value !== "0" ? null : Number(value);
  for (const part of parts ?? []) {
    if (part.type === "CommandExpansion") substituted(part.script, state, machine);
  }
  // Quotes keep nothing from being expanded here.
  if (/\$\(|`/.test(value) && !(parts ?? []).some(({ type }) => type === "CommandExpansion"))
    expandedAsText(value, fork(state), machine);
  const numbers = new Set<number | null>();
  for (const [, name = ""] of value.replace(LENGTH, "").matchAll(/(?:\$\{?)?([A-Za-z_]\w*|(?<=\$\{?)\d)/g)) {
    const texts = /^\d$/.test(name)
      ? state.frame.positional.flatMap((words) => words.slice(Number(name) - 1, Number(name)))
      : assigned(name, state);
    for (const text of texts) numbers.add(evaluated(text, state, machine));
  }
  const [only = null] = numbers;
  return numbers.size === 1 && /^\$?\{?\w+\}?$/.test(value) ? only : null;
}

/** `${#x}` is a number. */
const LENGTH = /\$\{#[^}]*\}/g;

function assigned(given: string, { bindings: { vars, arrays, references } }: State): readonly string[] {
  const name = references.get(given) ?? given;
  return [...(vars.get(name) ?? []), ...(arrays.get(name) ?? []).flat()];
}

/** Text that bash evaluates as arithmetic: `[[ $x -eq 0 ]]`, `test -v`, `let`, an index. Its value where it has one. */
export function evaluated(text: string, state: State, machine: Machine): number | null {
  if (text === SOME || text === "") return null;
  if (/^[-+]?\d{1,9}$/.test(text)) return Number(text);
  if (/[$`]/.test(text)) expandedAsText(text, fork(state), machine);
  if (isUnknown(text) || hasGlob(text)) {
    if (isForeign(text)) {
      const reason =
        "unknown text is evaluated as arithmetic, where bash runs the text of an index; compare it with [ ] instead";
      machine.report("ask", "dyn.pipe_to_shell", reason);
    }
    return null;
  }
  if (state.frame.depth > MAX_NESTED || text.length > MAX_TEXT || !/[A-Za-z_\d]/.test(text)) return null;
  machine.tick();
  const [statement] = parse(`((${text}))`).commands;
  if (statement?.command.type !== "ArithmeticCommand" || statement.command.expression === undefined) return null;
  return arithmetic(statement.command.expression, deeper(state), machine);
}

/** What bash makes of text that it expands as if it stood in double quotes: a prompt, `${x@P}`, an index. */
export function expandedAsText(text: string, state: State, machine: Machine): readonly string[] {
  const output = machine.runText(`cat <<ORCH_END\n${text}\nORCH_END\n`, state);
  return alternatives(output.map((line) => line.replace(/\n$/, "")));
}

/** Variables of which bash evaluates what they are assigned. */
const EVALUATED = new Set(["RANDOM", "OPTIND", "SECONDS"]);

/** Variables that hold commands: bash runs them, or expands them, of its own accord. */
const HOOKS = new Set(["PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4"]);

export function setVariable(given: string, texts: readonly string[], state: State, machine: Machine): void {
  const bracket = given.indexOf("[");
  if (bracket > 0) evaluated(given.slice(bracket + 1, -1), state, machine);
  const name = targetOf(state, bracket > 0 ? given.slice(0, bracket) : given);
  // It may be any name.
  if (isUnknown(name)) Object.assign(state.bindings, UNSEALED);
  state.bindings.arrays = without(state.bindings.arrays, name);
  const letters = state.bindings.attributes.get(name);
  if (letters?.includes("n") === true && !state.bindings.references.has(name)) {
    state.bindings.references = entered(state.bindings.references, name, onlyOf(texts));
    return;
  }
  if (EVALUATED.has(name)) for (const text of texts) evaluated(text, state, machine);
  const held = state.bindings.vars.get(name) ?? [];
  // Assigning to a readonly variable fails: it may keep what it holds.
  const kept = letters?.includes("r") === true ? held : [];
  state.bindings.vars = entered(
    state.bindings.vars,
    name,
    alternatives([...attributed(letters, texts, state, machine), ...kept]),
  );
  machine.programs.assigned(name, texts, state, machine);
  if (HOOKS.has(name)) {
    // A shell that is started from here may be the one that runs it.
    const inner = deeper(state, { bindings: startedShell(state) });
    for (const text of texts) {
      if (name === "PROMPT_COMMAND") machine.runText(text, inner);
      else expandedAsText(text, inner, machine);
    }
  }
}

/** `declare -i` evaluates what is assigned, `-l` and `-u` change its case. */
function attributed(
  letters: string | undefined,
  texts: readonly string[],
  state: State,
  machine: Machine,
): readonly string[] {
  if (letters === undefined || !/[ilu]/.test(letters)) return texts;
  if (letters.includes("i")) {
    for (const text of texts) evaluated(text, state, machine);
    return [SOME];
  }
  return texts.map((text) => (letters.includes("l") ? text.toLowerCase() : text.toUpperCase()));
}
