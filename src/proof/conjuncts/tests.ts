// Tests with several parts that all have to hold, as tests of their own: `[[ a && b ]]` as `[[ a ]] && [[ b ]]`.
import type { Command, SyntaxNode, TestExpression } from "unbash";
import { plainWord, programName, treeOf, wordsOf } from "../syntax.ts";

type Edit = { readonly node: SyntaxNode; readonly text: string };

/** Only where the text means the same: not after `||`, where `&&` would bind otherwise. */
export function testsApart(text: string): string {
  const tree = treeOf(text);
  if (tree === null) return text;
  const edits = tree.commands.flatMap(({ command }) =>
    command.type === "AndOr"
      ? command.commands.flatMap((one, at) => (command.operators[at - 1] === "||" ? [] : editOf(one, text)))
      : editOf(command, text),
  );
  return edits.reduceRight((all, { node, text: put }) => all.slice(0, node.pos) + put + all.slice(node.end), text);
}

function editOf(node: SyntaxNode, text: string): Edit[] {
  const parts = node.type === "TestCommand" ? partsOf(node.expression) : [];
  if (parts.length > 1)
    return [{ node, text: parts.map(({ pos, end }) => `[[ ${text.slice(pos, end)} ]]`).join(" && ") }];
  return node.type === "Command" ? bracketEdit(node, text) : [];
}

function partsOf(expression: TestExpression): readonly TestExpression[] {
  if (expression.type === "TestGroup") return partsOf(expression.expression);
  if (expression.type !== "TestLogical" || expression.operator !== "&&") return [expression];
  return expression.operands.flatMap(partsOf);
}

/** `[ a -a b ]`. An operator of another meaning is left as it is: `-o`, a group, `-a file`. */
function bracketEdit(command: Command, text: string): Edit[] {
  const name = programName(command) ?? "";
  if ((name !== "[" && name !== "test") || command.prefix.length > 0 || command.redirects.length > 0) return [];
  const words = name === "[" ? wordsOf(command).slice(0, -1) : wordsOf(command);
  const texts = words.map((word) => plainWord(word));
  if (texts.some((one) => one === "-o" || one === "(" || one === ")")) return [];
  const ends = texts.flatMap((one, at) => (one === "-a" ? [at] : []));
  const bounds = [-1, ...ends, words.length];
  const parts = bounds.slice(1).map((end, at) => words.slice((bounds[at] ?? -1) + 1, end));
  if (parts.length < 2 || parts.some((part) => part.length === 0)) return [];
  const tests = parts.map((part) => `[ ${text.slice(part[0]?.pos, part.at(-1)?.end)} ]`);
  return [{ node: command, text: tests.join(" && ") }];
}
