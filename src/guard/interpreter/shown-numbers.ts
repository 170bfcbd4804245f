// Finds variables that a test has shown to be numbers, or one of a list: `[[ $n =~ ^[0-9]+$ ]] || exit 1`, `case $1 in start | stop)`.
// From there on they are plain words, also where their text came from elsewhere (D-058, D-281).
import type { CompoundList, TestExpression, Word } from "unbash";
import { ABSENT, alternatives, FOREIGN, isUnknown, SOME } from "../words/symbols.ts";
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

/** A variable, or a positional parameter, and what it is one of; null: it is not empty. */
export type Shown = { readonly name: string; readonly values: readonly string[] | null };

/** With one of these an operand that is empty fails. */
const OF_A_TEXT = /^-[nfdesrwxLhpSbc]$/;

const filled = (operator: string, operand: Word | undefined, holds: boolean): readonly Shown[] => {
  const name =
    operand === undefined || !(holds ? OF_A_TEXT.test(operator) : operator === "-z") ? undefined : variableOf(operand);
  return name === undefined ? [] : [{ name, values: null }];
};

/** `[ -n "$x" ]`: of a plain test, and of several that are joined by `&&`, the last. */
function inPlainTest({ name, args }: Extract<Node, { type: "Command" }>, holds: boolean): readonly Shown[] {
  const words = args.filter((arg) => arg.type === "Word");
  const isTest = name?.text === "test" ? words.length === 2 : name?.text === "[" && words.length === 3;
  return isTest && words.length === args.length ? filled(words[0]?.text ?? "", words[1], holds) : [];
}

/** `^(deploy|clean)$`: the words of the list. */
const LISTED = /^\^\(?([\w.-]+(?:\|[\w.-]+)*)\)?\$$/;

function listed({ text }: Word): readonly string[] | undefined {
  const [whole, list] = LISTED.exec(text) ?? [];
  return list === undefined || (list.includes("|") && !whole?.startsWith("^(")) || list.includes(".")
    ? undefined
    : list.split("|");
}

/** The variables that are numbers, or of a list, where the test is as `holds` says. */
function inTest(expression: TestExpression, holds: boolean): readonly Shown[] {
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
      const values = isNumber ? [SOME] : operator === "=~" ? listed(right) : undefined;
      const name = values !== undefined && holds ? variableOf(left) : undefined;
      return name === undefined || values === undefined ? [] : [{ name, values }];
    }
    case "TestUnary":
      return filled(expression.operator, expression.operand, holds);
  }
}

/** Those that are numbers after the command has succeeded, or failed. */
export function numbersAfter(node: Node, succeeded: boolean): readonly Shown[] {
  if (node.type === "TestCommand") return inTest(node.expression, succeeded);
  if (node.type === "AndOr")
    return node.operators.every((operator) => (operator === "&&") === succeeded)
      ? node.commands.flatMap((command) => numbersAfter(command, succeeded))
      : [];
  if (node.type === "Command") return inPlainTest(node, succeeded);
  if (node.type !== "Pipeline") return [];
  const [only, ...others] = node.commands;
  const negated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  return only === undefined || others.length > 0 ? [] : numbersAfter(only, negated ? !succeeded : succeeded);
}

/** Of the condition of an `if`. */
export function numbersWhere({ commands }: CompoundList, holds: boolean): readonly Shown[] {
  const [only, ...others] = commands;
  return only === undefined || others.length > 0 || only.background === true ? [] : numbersAfter(only.command, holds);
}

/** `case $n in '' | *[!0-9]*) exit 1 ;; esac`: what goes on has only digits. */
export function onlyDigits({ word, items }: Extract<Node, { type: "Case" }>, state: State): readonly Shown[] {
  const name = variableOf(word);
  const [first, ...others] = items;
  if (name === undefined || first === undefined || others.length > 0 || !exits(first.body, state)) return [];
  const patterns = first.pattern.map(({ text }) => text);
  return patterns.some((text) => OTHERS.test(text)) && patterns.some((text) => /^(?:''|"")$/.test(text))
    ? [{ name, values: [SOME] }]
    : [];
}

/** Where the shell has ended otherwise. Text that runs when it ends sees what was not shown (`trap ... EXIT`). */
export function narrowAtEnd(shown: readonly Shown[], state: State): void {
  for (const { name, values } of shown) if (values !== null) state.io.checked.add(name);
  narrow(shown, state);
}

/** For text that runs when the shell ends, maybe before the test or after it has failed. */
export function widened(state: State): State {
  for (const name of state.io.checked)
    if (state.bindings.vars.has(name)) state.bindings.vars = entered(state.bindings.vars, name, [FOREIGN]);
  return state;
}

const WORDS_OF_CASE = /^(["']?)([\w.:/@%+-]+)\1$/;

/** `case "$1" in start | stop)`: in that branch it is one of the two. */
export function oneOf(word: Word, patterns: readonly Word[]): readonly Shown[] {
  const [, , name] = /^("?)\$\{?([A-Za-z_]\w*|[1-9])(?::?-)?\}?\1$/.exec(word.text) ?? [];
  const values = patterns.flatMap(({ text }) => WORDS_OF_CASE.exec(text)?.[2] ?? []);
  return name === undefined || values.length < patterns.length ? [] : [{ name, values }];
}

/** What is known of them is kept; all else is a plain word from here on. */
export function narrow(shown: readonly Shown[], state: State): void {
  for (const { name, values: words } of shown) {
    if (words === null) {
      fill(name, state);
      continue;
    }
    if (/^\d$/.test(name)) {
      narrowPositional(Number(name), words, state);
      continue;
    }
    const { vars, arrays, attributes, references } = state.bindings;
    const values = vars.get(name);
    if (values === undefined || arrays.has(name) || attributes.has(name) || references.has(name)) continue;
    if (!values.some(isUnknown)) continue;
    const kept = words.includes(SOME) ? values.filter((value) => /^[-+]?\d[\d.]*$/.test(value)) : [];
    state.bindings.vars = entered(vars, name, alternatives([...kept, ...words]));
  }
}

/** What was never assigned has any value there, and where orch runs the text it does not get there. */
function fill(name: string, state: State): void {
  const { vars, arrays, attributes, references, sealed } = state.bindings;
  if (arrays.has(name) || attributes.has(name) || references.has(name)) return;
  const values = vars.get(name) ?? (sealed ? ["", ABSENT] : []);
  const texts = values.filter((value) => value !== "" && value !== ABSENT);
  const kept = texts.length > 0 ? texts : values.filter((value) => value === ABSENT);
  if (kept.length > 0 && kept.length !== values.length) state.bindings.vars = entered(vars, name, kept);
}

const MAX_LISTS = 8;

function narrowPositional(at: number, words: readonly string[], { frame }: State): void {
  // The words of the text itself are not known.
  const own = frame.depth === 0 ? ABSENT : "";
  const isOpen = (list: readonly string[]) => list.length >= at - 1 && isUnknown(list[at - 1] ?? own);
  if (words.includes(SOME) || !frame.positional.some(isOpen)) return;
  const lists = frame.positional.flatMap((list) =>
    isOpen(list) ? words.map((word) => [...list.slice(0, at - 1), word, ...list.slice(at)]) : [list],
  );
  if (lists.length <= MAX_LISTS) frame.positional = lists;
}
