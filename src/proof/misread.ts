// Finds a part of a check that does not do in bash what it seems to do. For example, `[ 6 > 7 ]` writes a file.
import { type Command, forEachChild, type Redirect, type SyntaxNode, type TestExpression, type Word } from "unbash";
import { idleLine } from "./idle-lines.ts";
import { plainWord, programName, shellText, treeOf, wordsOf } from "./syntax.ts";

/** `depth` counts nested shells, as in `bash -c "…"`. */
type Position = { readonly in_function: boolean; readonly in_loop: boolean; readonly depth: number };

const MAX_DEPTH = 4;

/** Explains how bash misreads the text and what to write instead. Null where orch finds no fault. Never throws. */
export const wordingFault = (text: string): string | null => idleLine(text) ?? misreadPart(text);

export function misreadPart(text: string): string | null {
  try {
    return partIn(text, 0);
  } catch {
    // Nested too deeply for this process.
    return null;
  }
}

function partIn(text: string, depth: number): string | null {
  const tree = depth > MAX_DEPTH ? null : treeOf(text);
  return tree === null ? null : inNode(tree, { in_function: false, in_loop: false, depth });
}

function inNode(node: SyntaxNode, position: Position): string | null {
  let fault = faultOf(node, position);
  const within = positionWithin(node, position);
  forEachChild(node, (child) => {
    fault ??= inNode(child, within);
  });
  return fault;
}

function positionWithin(node: SyntaxNode, position: Position): Position {
  // A function may be called in a loop.
  if (node.type === "Function") return { ...position, in_function: true, in_loop: true };
  return /^(For|ArithmeticFor|Select|While)$/.test(node.type) ? { ...position, in_loop: true } : position;
}

function faultOf(node: SyntaxNode, position: Position): string | null {
  if (node.type === "TestBinary") return textComparison(node);
  if (node.type === "TestUnary") return gluedComparison([node.operand], node.operator);
  if (node.type !== "Command") return null;
  const inner = shellText(node);
  const nested = inner === null ? null : partIn(inner, position.depth + 1);
  return nested ?? misplacedKeyword(node, position) ?? testFault(node);
}

/** Bash prints an error for such a keyword and continues with the next command. */
function misplacedKeyword(command: Command, { in_function, in_loop }: Position): string | null {
  const name = programName(command);
  if (name === "return" && !in_function) return "`return` outside of a function does not end the check; instead: exit";
  if (name === "local" && !in_function) return "`local` outside of a function sets nothing; leave it out";
  if ((name === "break" || name === "continue") && !in_loop)
    return `\`${name}\` outside of a loop does nothing; instead: exit`;
  return null;
}

function testFault(command: Command): string | null {
  const name = programName(command);
  if (name !== "[" && name !== "test") return null;
  const words = wordsOf(command);
  const operands = (name === "[" ? words.slice(0, -1) : words).filter((word) => plainWord(word) !== "!");
  return redirectedComparison(command) ?? gluedComparison(operands) ?? unquotedOperand(operands);
}

/** `[ "$x" > 7 ]`: a redirection. */
function redirectedComparison({ redirects }: Command): string | null {
  const found = redirects.find(isComparison);
  return found === undefined
    ? null
    : `\`${found.operator}\` in [ ] opens a file and compares nothing; instead: ${NUMERIC[found.operator]}`;
}

const NUMERIC: Readonly<Record<string, string>> = { ">": "-gt", "<": "-lt" };

const isComparison = (redirect: Command["redirects"][number]): redirect is Redirect =>
  redirect.type === "Redirect" &&
  NUMERIC[redirect.operator] !== undefined &&
  redirect.descriptor === undefined &&
  !redirect.target?.text.startsWith("/dev/");

/** `[ "$x"==7 ]`: one word, and never an empty one. */
function gluedComparison(operands: readonly Word[], operator = "-n"): string | null {
  const [operand, more] = operands;
  if (operand === undefined || more !== undefined || operator !== "-n") return null;
  const sign = unquotedSign(operand);
  return sign === null ? null : `\`${operand.text}\` is one word, so it is always true; put blanks around \`${sign}\``;
}

function unquotedSign(word: Word): string | null {
  for (const part of word.parts ?? []) {
    const sign = part.type === "Literal" ? /[!=]?=/.exec(part.text)?.[0] : undefined;
    if (sign !== undefined) return sign;
  }
  return null;
}

/** `[ -n $x ]` becomes `[ -n ]` if x is empty, and that is true. */
function unquotedOperand([operator, operand, more]: readonly Word[]): string | null {
  if (plainWord(operator) !== "-n" || operand === undefined || more !== undefined) return null;
  const isBare = operand.parts?.every(({ type }) => /^(Simple|Parameter|Command)Expansion$/.test(type)) ?? false;
  return isBare
    ? `\`-n ${operand.text}\` is also true if ${operand.text} is empty; instead: -n "${operand.text}"`
    : null;
}

/** `[[ 6 > 10 ]]` is true: the text 6 comes after the text 10. */
function textComparison({ operator, left, right }: Extract<TestExpression, { type: "TestBinary" }>): string | null {
  const instead = NUMERIC[operator];
  if (instead === undefined || ![left, right].some((word) => /^\d+$/.test(plainWord(word) ?? ""))) return null;
  return `\`${operator}\` in [[ ]] compares text, not numbers; instead: ${instead}`;
}
