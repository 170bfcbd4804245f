// Holds what the patterns of mends share: where a node is, the text of its parts, and names that the check does not use.
import { type Command, forEachChild, type SyntaxNode, type Word } from "unbash";
import { isFailure } from "../conjuncts.ts";
import { type CheckTree, plainWord, programName, wordsOf } from "../syntax.ts";

export type Edit = { readonly pos: number; readonly end: number; readonly text: string; readonly why: string };

/** `parents`: the nearest first. `last`: its status is that of the whole check. */
export type MendPlace = {
  readonly source: string;
  readonly parents: readonly SyntaxNode[];
  readonly last: boolean;
};

export type MendPattern = (node: SyntaxNode, place: MendPlace) => Edit | null;

/** The first edit that a pattern offers for a node of the source, outer nodes first. */
export function firstEdit(source: string, tree: CheckTree, pattern: MendPattern): Edit | null {
  const search = (node: SyntaxNode, parents: readonly SyntaxNode[], last: boolean): Edit | null => {
    const own = pattern(node, { source, parents, last });
    if (own !== null) return own;
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    for (const child of children) {
      if (child.type === "Script" && child.source !== undefined) continue;
      const isLast = last && passesStatus(node) && child === children.at(-1);
      const found = search(child, [node, ...parents], isLast);
      if (found !== null) return found;
    }
    return null;
  };
  return search(tree, [], true);
}

const passesStatus = ({ type }: SyntaxNode): boolean =>
  /^(Script|Statement|CompoundList|BraceGroup|Subshell)$/.test(type);

export const slice = ({ source }: MendPlace, { pos, end }: { readonly pos: number; readonly end: number }): string =>
  source.slice(pos, end);

/** Whether the status of the node counts as it is: it is not turned, not in a pipeline, and not within a substitution. */
export function isCondition(node: SyntaxNode, { parents }: MendPlace): boolean {
  const [parent] = parents;
  if (parent?.type === "Pipeline" || parent?.type === "Redirected") return false;
  const path = [node, ...parents];
  return !path.some((one, at) => /Expansion$|^ProcessSubstitution$/.test(one.type) || isTurned(one, path[at + 1]));
}

/** `while a`, `if a; then exit 1; fi`, `a && exit 1`: the check goes on well where `a` fails, or for ever. */
function isTurned(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent?.type === "While") return parent.clause === node;
  if (parent?.type === "If") return parent.clause === node && isFailure(parent.then.commands.at(-1)?.command);
  if (parent?.type !== "AndOr") return false;
  const at = parent.commands.findIndex(({ pos }) => pos === node.pos);
  return parent.operators[at] === "&&" && at === parent.commands.length - 2 && isFailure(parent.commands.at(-1));
}

/** Whether nothing comes after the node in its list: what comes after it would decide. */
export function isLastOfList(node: SyntaxNode, { parents }: MendPlace): boolean {
  const list = parents.find(({ type }) => type === "Script" || type === "CompoundList");
  if (list?.type !== "Script" && list?.type !== "CompoundList") return false;
  const last = list.commands.at(-1);
  return last !== undefined && last.pos <= node.pos && node.end <= last.end;
}

/** Several commands in the place of one: in braces where `||` comes before. */
export function inPlace(text: string, node: SyntaxNode, { parents }: MendPlace): string {
  const [parent] = parents;
  if (parent?.type !== "AndOr") return text;
  const at = parent.commands.findIndex(({ pos }) => pos === node.pos);
  return parent.operators[at - 1] === "||" ? `{ ${text}; }` : text;
}

export function freshNames(source: string, count: number): readonly string[] {
  const wanted = count === 1 ? ["out", "result", "output"] : ["x", "y", "left", "right", "first", "second"];
  return wanted.filter((name) => !new RegExp(`\\b${name}\\b`).test(source)).slice(0, count);
}

/** `"$(p)"` or `$(p)` alone: the source of `p`. */
export function onlySubstitution(word: Word | undefined, place: MendPlace): Substituted | null {
  const [part, ...others] = word?.parts ?? [];
  if (part === undefined || others.length > 0) return null;
  const inner = part.type === "DoubleQuoted" ? (part.parts.length === 1 ? part.parts[0] : undefined) : part;
  if (inner?.type !== "CommandExpansion" || inner.script?.source !== undefined) return null;
  const [statement, ...more] = inner.script?.commands ?? [];
  if (statement === undefined || more.length > 0) return null;
  return { text: slice(place, statement), node: statement.command, quoted: part !== inner };
}

export type Substituted = { readonly text: string; readonly node: SyntaxNode; readonly quoted: boolean };

/** `test` and `[` alike: the words between. */
function testWords(node: SyntaxNode): readonly Word[] | null {
  if (node.type === "Command" && node.redirects.length === 0 && node.prefix.length === 0) {
    const name = programName(node);
    const words = wordsOf(node);
    if (name === "test") return words;
    if (name === "[" && plainWord(words.at(-1)) === "]") return words.slice(0, -1);
  }
  return null;
}

/** Operands of a comparison in any spelling. */
export function comparison(node: SyntaxNode): { left: Word; operator: string; right: Word; strict: boolean } | null {
  if (node.type === "TestCommand" && node.expression.type === "TestBinary") {
    const { left, operator, right } = node.expression;
    return { left, operator, right, strict: false };
  }
  const [left, operator, right, ...more] = testWords(node) ?? [];
  const text = plainWord(operator);
  if (left === undefined || right === undefined || text === null || more.length > 0) return null;
  return { left, operator: text, right, strict: true };
}

/** `-z word`, `-n word`, or a word alone (`operator` is ""). */
export function single(node: SyntaxNode): { readonly operator: string; readonly operand: Word } | null {
  if (node.type === "TestCommand" && node.expression.type === "TestUnary")
    return { operator: node.expression.operator, operand: node.expression.operand };
  const [first, second, ...more] = testWords(node) ?? [];
  if (first === undefined || more.length > 0) return null;
  return second === undefined
    ? { operator: "", operand: first }
    : { operator: plainWord(first) ?? "?", operand: second };
}

export const isGrep = (node: SyntaxNode | undefined): node is Command =>
  node?.type === "Command" && /^[ef]?grep$/.test(programName(node) ?? "");

export const lastCommand = (node: SyntaxNode): SyntaxNode | undefined =>
  node.type === "Pipeline" ? node.commands.at(-1) : node;

/** `a | b | grep x`: the source before the last pipe, and the grep. Null where the grep reads a file. */
export function searchedOutput(
  node: SyntaxNode,
  place: MendPlace,
): { before: string; grep: string; first: Command } | null {
  if (node.type !== "Pipeline" || node.commands.length < 2) return null;
  const [first] = node.commands;
  const [before, grep] = node.commands.slice(-2);
  if (first?.type !== "Command" || before === undefined || !isGrep(grep) || filesOf(grep).length > 0) return null;
  if (node.operators.includes("|&")) return null;
  return { before: place.source.slice(first.pos, before.end), grep: slice(place, grep), first };
}

/** The words of a grep after its pattern. */
export function filesOf(grep: Command): readonly Word[] {
  const words = wordsOf(grep);
  const operands: Word[] = [];
  let pattern = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const text = word?.text ?? "";
    if (/^-[ef]$/.test(text)) pattern = true;
    if (/^-[efmABCd]$/.test(text)) at += 1;
    else if (word !== undefined && !text.startsWith("-")) operands.push(word);
  }
  return pattern ? operands : operands.slice(1);
}
