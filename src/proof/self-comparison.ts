// Comparisons of an operand with itself. They end as the text says wherever the operand is there, so that what an examination
// sees of them shows no more than that it is missing.
import type { Command, SyntaxNode, TestExpression, Word } from "unbash";
import { plainWord, programName, treeOf, visitInPlace, wordsOf } from "./syntax.ts";

type Change = { readonly pos: number; readonly end: number; readonly put: string };

/** The check with the outcome of each such comparison in its place. Never throws. */
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
