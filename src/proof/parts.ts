// Writes a check anew for its examination: taken apart where all its parts have to hold, because a conjunction proves what one of its
// parts proves, and without comparisons of an operand with itself.
import type { Command, Statement, SyntaxNode, TestExpression, Word } from "unbash";
import { type CheckTree, contains, plainWord, programName, treeOf, visitInPlace, wordsOf } from "./syntax.ts";

/** `next`: where the text goes on once the outcome of the part is left out. `sign`: what separates it from there. */
type Part = { readonly node: SyntaxNode; readonly next: number; readonly sign: string };

const MAX_PARTS = 6;

/**
 * A check for each part, the last one first: what comes before it is run and decides nothing, what comes after it is not run.
 * Empty where there are not two parts. Never throws.
 */
export function conjunctsOf(given: string): string[] {
  const text = testsApart(flat(given, 0));
  const tree = treeOf(text);
  if (tree === null) return [];
  const strictFrom = tree.commands.findIndex(({ command }) => isStrict(command));
  const parts = tree.commands.flatMap((statement, at) =>
    partsOf(statement, at === tree.commands.length - 1, strictFrom !== -1 && strictFrom < at),
  );
  if (parts.length < 2) return [];
  const rest = text.slice(parts.at(-1)?.next);
  const last = parts.slice(-MAX_PARTS).map((_, at, all) => parts.length - all.length + at + 1);
  const checks = last.map((n) => alone(text, parts.slice(0, n)) + (n === parts.length ? rest : "")).toReversed();
  // The text of a here-document comes after its line, where the check would be cut off.
  return (hasHereDocument(tree) ? checks.slice(0, 1) : checks).filter((one) => treeOf(one) !== null);
}

const MAX_DEPTH = 4;

/** Without the group around the last command; `if a; then b; else exit 1; fi` as `{ a; } && { b; }`. */
function flat(text: string, depth: number): string {
  const tree = treeOf(text);
  const last = tree?.commands.at(-1)?.command;
  if (tree === null || last === undefined || depth >= MAX_DEPTH || hasHereDocument(tree)) return text;
  const put = (inner: string) => flat(text.slice(0, last.pos) + inner + text.slice(last.end), depth + 1);
  if (last.type === "BraceGroup" || last.type === "Subshell") return put(text.slice(last.body.pos, last.body.end));
  if (last.type !== "If" || last.elif.length > 0 || !isFailure(last.else?.commands.at(-1)?.command)) return text;
  return put([last.clause, last.then].map(({ pos, end }) => `{ ${text.slice(pos, end)}\n}`).join(" && "));
}

function alone(text: string, parts: readonly Part[]): string {
  let result = "";
  let at = 0;
  for (const [n, { node, next, sign }] of parts.entries()) {
    result += text.slice(at, node.end);
    if (n < parts.length - 1) result += ` || :${sign}`;
    at = next;
  }
  return result;
}

/** `a && b`, at the end; `a || exit 1`; each statement after `set -e`. */
function partsOf({ command, end }: Statement, isLast: boolean, strict: boolean): Part[] {
  if (command.type !== "AndOr") return (isLast || strict) && !isStrict(command) ? whole(command, end) : [];
  const fails = command.operators.at(-1) === "||" && isFailure(command.commands.at(-1));
  const count = fails ? command.commands.length - 1 : command.commands.length;
  if (command.operators.slice(0, count - 1).some((operator) => operator !== "&&"))
    return isLast ? whole(command, end) : [];
  if (!fails && !isLast && !strict) return [];
  return command.commands.slice(0, count).map((node, at) => {
    const next = at + 1 < count ? command.commands[at + 1] : undefined;
    return next === undefined ? { node, next: end, sign: "" } : { node, next: next.pos, sign: "; " };
  });
}

const whole = (node: SyntaxNode, next: number): Part[] => [{ node, next, sign: "" }];

const isStrict = (node: SyntaxNode): boolean =>
  node.type === "Command" && programName(node) === "set" && wordsOf(node).some(({ text }) => /^-[a-z]*e/.test(text));

/** `false`, `exit 1`, or a group that ends with one of them. */
export function isFailure(node: SyntaxNode | undefined): boolean {
  if (node === undefined) return false;
  if (node.type === "Command") return isFailing(node);
  if (node.type !== "BraceGroup" && node.type !== "Subshell") return false;
  return isFailure(node.body.commands.at(-1)?.command);
}

function isFailing(command: Command): boolean {
  const name = programName(command);
  if (name === "false") return true;
  return (name === "exit" || name === "return") && plainWord(wordsOf(command)[0]) !== "0";
}

const hasHereDocument = (tree: CheckTree): boolean => contains(tree, ({ type }) => type === "HereDocBody");

type Edit = { readonly node: SyntaxNode; readonly text: string };

/** `[[ a && b ]]` as `[[ a ]] && [[ b ]]`. Only where the text means the same: not after `||`, where `&&` would bind otherwise. */
function testsApart(text: string): string {
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
  const parts = node.type === "TestCommand" ? conditionsOf(node.expression) : [];
  if (parts.length > 1)
    return [{ node, text: parts.map(({ pos, end }) => `[[ ${text.slice(pos, end)} ]]`).join(" && ") }];
  return node.type === "Command" ? bracketEdit(node, text) : [];
}

function conditionsOf(expression: TestExpression): readonly TestExpression[] {
  if (expression.type === "TestGroup") return conditionsOf(expression.expression);
  if (expression.type !== "TestLogical" || expression.operator !== "&&") return [expression];
  return expression.operands.flatMap(conditionsOf);
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

type Change = { readonly pos: number; readonly end: number; readonly put: string };

/**
 * Comparisons of an operand with itself. They end as the text says wherever the operand is there, so that what an examination
 * sees of them shows no more than that it is missing. The check with the outcome of each such comparison in its place. Never
 * throws.
 */
export function withoutSelfComparison(text: string): string {
  const tree = treeOf(text);
  if (tree === null) return text;
  const changes: Change[] = [];
  visitInPlace(tree, (node) => {
    const put = outcomeOf(node);
    if (put !== null) changes.push({ pos: node.pos, end: node.end, put });
  });
  return changes
    .toSorted((one, other) => other.pos - one.pos)
    .reduce((result, { pos, end, put }) => result.slice(0, pos) + put + result.slice(end), text);
}

function outcomeOf(node: SyntaxNode): string | null {
  if (node.type === "Command") return outcomeOfCommand(node);
  return node.type === "TestBinary" ? outcomeOfTest(node) : null;
}

const EQUAL = /^(=|==|-eq|-le|-ge|-ef)$/;
const UNEQUAL = /^(!=|-ne|-lt|-gt|-nt|-ot|<|>)$/;

/** With another start the same file is another text. */
const FROM_ELSEWHERE = /^(-i|--ignore-initial)/;
const VALUED = /^(-[nUCWIx]|--bytes|--unified|--context|--width|--exclude|--label)$/;

function outcomeOfCommand(command: Command): string | null {
  const name = programName(command);
  const words = wordsOf(command);
  if (name === "cmp" || name === "diff")
    return words.some(isFromElsewhere) ? null : isSameTwice(operandsOf(words), ":");
  const tested = name === "[" ? words.slice(0, -1) : name === "test" ? words : [];
  const [left, operator, right] = tested;
  if (tested.length !== 3 || left === undefined || right === undefined) return null;
  const sign = plainWord(operator) ?? "";
  if (EQUAL.test(sign)) return isSameTwice([left, right], ":");
  return UNEQUAL.test(sign) ? isSameTwice([left, right], "false") : null;
}

const isFromElsewhere = ({ text }: Word): boolean => FROM_ELSEWHERE.test(text);

const operandsOf = (words: readonly Word[]): readonly Word[] =>
  words.filter((word, at) => !/^-./.test(plainWord(word) ?? "") && !VALUED.test(plainWord(words[at - 1]) ?? ""));

/** In `[[ ]]` what comes after an equals sign is a pattern, which its own text need not match. */
function outcomeOfTest({ left, operator, right }: Extract<TestExpression, { type: "TestBinary" }>): string | null {
  if (EQUAL.test(operator)) return isSameTwice([left, right], "-n 1");
  return UNEQUAL.test(operator) ? isSameTwice([left, right], "-z 1") : null;
}

const isSameTwice = ([one, other, more]: readonly Word[], put: string): string | null =>
  one !== undefined && other !== undefined && more === undefined && isSame(one, other) ? put : null;

/** Each read of these gives something else. */
const CHANGING = /\/dev\/|\/proc\/|\$\(|`|<\(|\b(RANDOM|SRANDOM|SECONDS|EPOCH\w+)\b/;

function isSame(one: Word, other: Word): boolean {
  if (CHANGING.test(one.text)) return false;
  if (one.text === other.text) return true;
  const [first, second] = [plainWord(one), plainWord(other)];
  return first !== null && second !== null && settled(first) === settled(second);
}

const settled = (path: string): string => path.replace(/\/(\.?\/)+/g, "/").replace(/^(\.\/)+/, "");
