// Finds variables that a test has shown to be numbers: `[[ $n =~ ^[0-9]+$ ]] || exit 1`. From there on they are plain words, also
// where their text came from elsewhere (D-058, D-281).
import type { CompoundList, TestExpression, Word } from "unbash";
import { FOREIGN, isUnknown, SOME } from "../words/symbols.ts";
import { exits } from "./leaving.ts";
import type { Node } from "./machine.ts";
import { entered, type State } from "./state.ts";

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
export function numbersWhere({ commands }: CompoundList, holds: boolean): readonly string[] {
  const [only, ...others] = commands;
  return only === undefined || others.length > 0 || only.background === true ? [] : numbersAfter(only.command, holds);
}

/** `case $n in '' | *[!0-9]*) exit 1 ;; esac`: what goes on has only digits. */
export function onlyDigits({ word, items }: Extract<Node, { type: "Case" }>, state: State): readonly string[] {
  const name = variableOf(word);
  const [first, ...others] = items;
  if (name === undefined || first === undefined || others.length > 0 || !exits(first.body, state)) return [];
  const patterns = first.pattern.map(({ text }) => text);
  return patterns.some((text) => OTHERS.test(text)) && patterns.some((text) => /^(?:''|"")$/.test(text)) ? [name] : [];
}

/** Where the shell has ended otherwise. Text that runs when it ends sees what was not shown (`trap ... EXIT`). */
export function narrowAtEnd(names: readonly string[], state: State): void {
  for (const name of names) state.io.checked.add(name);
  narrow(names, state);
}

/** For text that runs when the shell ends, maybe before the test or after it has failed. */
export function widened(state: State): State {
  for (const name of state.io.checked)
    if (state.bindings.vars.has(name)) state.bindings.vars = entered(state.bindings.vars, name, [FOREIGN]);
  return state;
}

/** What is known of them is kept; all else is a plain word from here on. */
export function narrow(names: readonly string[], state: State): void {
  for (const name of names) {
    const { vars, arrays, attributes, references } = state.bindings;
    const values = vars.get(name);
    if (values === undefined || arrays.has(name) || attributes.has(name) || references.has(name)) continue;
    if (!values.some(isUnknown)) continue;
    const kept = values.filter((value) => /^[-+]?\d[\d.]*$/.test(value));
    state.bindings.vars = entered(vars, name, [...kept, SOME]);
  }
}
