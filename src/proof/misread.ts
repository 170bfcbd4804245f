// Finds what a check does not do in bash although it seems to: a part that bash reads otherwise (`[ 6 > 7 ]` writes a file), and a line
// that decides nothing, because nothing looks at its exit code and it leaves nothing that the rest could use.
import {
  type Command,
  forEachChild,
  type Redirect,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word,
} from "unbash";
import { isFailure } from "./parts.ts";
import { readsStatus, strictAfter } from "./pipes.ts";
import { plainWord, programName, shellText, treeOf, visit, wordsOf } from "./syntax.ts";

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
  return tree === null ? null : misreadIn(tree, { in_function: false, in_loop: false, depth });
}

function misreadIn(node: SyntaxNode, position: Position): string | null {
  let fault = faultOf(node, position);
  const within = positionWithin(node, position);
  forEachChild(node, (child) => {
    fault ??= misreadIn(child, within);
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

/** They set up the shell, give a variable a value, wait, print a given text or clean up. */
const SETS_UP =
  /^(set|shopt|export|declare|local|readonly|typeset|unset|trap|source|\.|umask|ulimit|exec|read|mapfile|readarray|let|eval|alias|unalias|hash|getopts|shift|wait|sleep|echo|printf|:|true|exit|return|break|continue|rm|rmdir|kill|pushd|popd|builtin|enable)$/;
const LEAVES = /^(exit|return|break|continue|exec|kill|wait)$/;
const SETS_VARIABLE =
  /^(export|declare|local|readonly|typeset|unset|read|mapfile|readarray|let|getopts|eval|source|\.|printf)$/;

type Scope = {
  readonly source: string;
  readonly functions: ReadonlyMap<string, SyntaxNode>;
  /** Whether something later in the text waits for background jobs. */
  readonly waits: boolean;
  readonly depth: number;
};

/** Why the text does not mean what it says; null where every command of it counts. Never throws. */
export function idleLine(text: string): string | null {
  try {
    return findIdle(text);
  } catch {
    // Nested too deeply for this process.
    return null;
  }
}

type Idle = { readonly node: SyntaxNode; readonly source: string };

function findIdle(text: string): string | null {
  const idle = idleIn(text, false, 0);
  return idle === null ? null : sentence(idle);
}

/** `strict`: the shell of the text ends at its first error. `depth`: of shells within shells. */
function idleIn(text: string, strict: boolean, depth: number): Idle | null {
  const tree = depth > MAX_DEPTH ? null : treeOf(text);
  if (tree === null) return null;
  const functions = new Map<string, SyntaxNode>();
  let waits = text.includes("$!");
  visit(tree, (node) => {
    if (node.type === "Function") functions.set(node.name.value, node.body);
    waits ||= node.type === "Command" && programName(node) === "wait";
  });
  return inList(tree.commands, { source: text, functions, waits, depth }, strict);
}

const MAX_SHOWN = 60;

function sentence({ node: { pos, end }, source }: Idle): string {
  const line = source.slice(0, pos).split("\n").length;
  const shown = source.slice(pos, end).trim().replace(/\s+/g, " ");
  const command = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN).toWellFormed()}...` : shown;
  return `line ${line} decides nothing: nothing looks at the exit code of \`${command}\`; join the lines with &&, or begin with set -e`;
}

/** A list whose last status counts. Without `set -e`, no other one does. */
function inList(statements: readonly Statement[], scope: Scope, given: boolean): Idle | null {
  let strict = given;
  // What comes before a certain failure passes for nothing.
  const fails = isFailure(statements.at(-1)?.command);
  for (const [at, statement] of statements.entries()) {
    const { command, background } = statement;
    strict = strictAfter(command, strict);
    const next = statements[at + 1];
    const isLast = next === undefined && background !== true;
    const isAsked = next !== undefined && readsStatus(scope.source.slice(next.pos, next.end));
    if (!isLast && !isAsked && !fails && isIdle(statement, scope, strict))
      return { node: command, source: scope.source };
    const within = inNode(command, scope, strict, isLast || isAsked);
    if (within !== null) return within;
  }
  return null;
}

function isIdle({ command, background }: Statement, scope: Scope, strict: boolean): boolean {
  if (background === true) return !scope.waits && !hasEffect(command, scope);
  if (command.type === "Function" || command.type === "While" || command.type === "Coproc") return false;
  const endsShell = strict && !/^(AndOr|If|Case|For|ArithmeticFor|Select)$/.test(command.type) && !isTurned(command);
  if (endsShell) return false;
  if (strict && /^(For|ArithmeticFor|Select|Case)$/.test(command.type)) return false;
  return !hasEffect(command, scope);
}

const isTurned = (node: SyntaxNode): boolean =>
  node.type === "Pipeline" && node.prefixes.some(({ type }) => type === "Negation");

/** Whether the rest of the check can tell that it ran: it may end the check, or it sets something. */
function hasEffect(node: SyntaxNode, scope: Scope, depth = 0): boolean {
  switch (node.type) {
    case "Command":
      return commandActs(node, (name) => SETS_UP.test(name), scope, depth);
    case "Pipeline":
      return node.commands.length === 1 && node.commands[0] !== undefined && hasEffect(node.commands[0], scope, depth);
    case "While":
      return true;
    case "ArithmeticCommand":
      return /(\+\+|--|(?<![=!<>])=(?!=))/.test(scope.source.slice(node.pos, node.end));
    case "AndOr":
    case "If":
    case "For":
    case "ArithmeticFor":
    case "Select":
    case "Case":
    case "BraceGroup":
    case "Redirected":
      return someWithin(node, scope, depth);
    default:
      return false;
  }
}

/** Within a compound command, printing something is no effect: only what ends it or sets a variable is. */
function someWithin(node: SyntaxNode, scope: Scope, depth: number): boolean {
  let found = false;
  forEachChild(node, (child) => {
    if (found || child.type === "Subshell" || child.type === "Script") return;
    if (child.type === "Command") found = commandActs(child, (name) => steers(name, child), scope, depth);
    else if (child.type === "ArithmeticCommand") found = hasEffect(child, scope, depth);
    else found = someWithin(child, scope, depth);
  });
  return found;
}

/** `acts`: whether a program of that name does. */
function commandActs(node: Command, acts: (name: string) => boolean, scope: Scope, depth: number): boolean {
  const name = programName(node);
  if (node.name === undefined) return true;
  if (name === null) return false;
  const body = scope.functions.get(name);
  return body === undefined ? acts(name) : depth < MAX_DEPTH && someWithin(body, scope, depth + 1);
}

const steers = (name: string, { args }: Command): boolean =>
  name === "printf" ? args.some(({ text }) => text === "-v") : LEAVES.test(name) || SETS_VARIABLE.test(name);

/** `counts`: its own status counts. */
function inNode(node: SyntaxNode, scope: Scope, strict: boolean, counts: boolean): Idle | null {
  switch (node.type) {
    case "Command":
      return counts || strict ? inOtherShells(node, scope) : null;
    case "AndOr": {
      const last = node.commands.length - 1;
      return first(node.commands, (one, at) => inNode(one, scope, at === last && strict, at < last || counts));
    }
    case "Pipeline":
      return first(node.commands, (one) => inNode(one, scope, strict, counts));
    case "If":
      return (
        first(
          [node, ...node.elif],
          ({ clause, then }) => inList(clause.commands, scope, false) ?? inBody(then, scope, strict, counts),
        ) ?? (node.else === undefined ? null : inBody(node.else, scope, strict, counts))
      );
    case "While":
      return inList(node.clause.commands, scope, false) ?? inLoop(node.body, scope, strict, counts);
    case "For":
    case "ArithmeticFor":
    case "Select":
      return inLoop(node.body, scope, strict, counts);
    case "Case":
      return first(node.items, ({ body }) => inBody(body, scope, strict, counts));
    case "Function":
      return inNode(node.body, scope, false, true);
    case "Redirected":
      return inNode(node.command, scope, strict, counts);
    case "Subshell":
    case "BraceGroup":
      return inBody(node.body, scope, strict, counts);
    case "CompoundList":
      return inBody(node, scope, strict, counts);
    default:
      return null;
  }
}

/** The texts that the command gives to other shells: `bash -c '...'`, `ssh host '...'`, a here-document. */
function inOtherShells(command: Command, { depth }: Scope): Idle | null {
  const words = wordsOf(command).map((word) => plainWord(word) ?? "");
  const strict = words.some((word) => /^-[a-zA-Z]*e/.test(word) && !word.startsWith("--"));
  const name = programName(command) ?? "";
  const remote = name === "ssh" && words.length > 1 ? words.at(-1) : undefined;
  const documents = /^(ba|da)?sh$|^ssh$/.test(name)
    ? command.redirects.flatMap((one) => (one.type === "HereDoc" ? [one.body.text] : []))
    : [];
  const texts = [shellText(command), remote, ...documents].filter((text) => typeof text === "string");
  return first(texts, (text) => idleIn(text, strict && text !== remote, depth + 1));
}

type Body = { readonly commands: readonly Statement[] };

/** Where its status does not count, it was judged as a whole. */
const inBody = ({ commands }: Body, scope: Scope, strict: boolean, counts: boolean): Idle | null =>
  counts || strict ? inList(commands, scope, strict) : null;

/** Only the last round decides: in every other one, the last command of the body decides nothing either. */
function inLoop({ commands }: Body, scope: Scope, strict: boolean, counts: boolean): Idle | null {
  const last = commands.at(-1);
  if (counts && last !== undefined && isIdle(last, scope, strict)) return { node: last.command, source: scope.source };
  return inBody({ commands }, scope, strict, counts);
}

function first<T>(all: readonly T[], find: (one: T, at: number) => Idle | null): Idle | null {
  for (const [at, one] of all.entries()) {
    const found = find(one, at);
    if (found !== null) return found;
  }
  return null;
}

/** Bash does not know the parameters of a tool's arguments, and ends with "bad substitution" where it is to expand one. */
export function referenceFault(text: string): string | null {
  if (!/\$\{(?:payload|target)\./.test(text)) return null;
  const tree = treeOf(text);
  let found: string | null = null;
  if (tree !== null)
    visit(tree, (node) => {
      if (node.type !== "ParameterExpansion" || !REFERENCE.test(node.text)) return;
      const [, name, key = ""] = REFERENCE.exec(node.text) ?? [];
      const instead = name === "target" ? `use $ORCH_TARGET_${key.toUpperCase()}` : "use jq on $ORCH_PAYLOAD";
      found ??= `${node.text} is no expansion of bash; ${instead}`;
    });
  return found;
}

const REFERENCE = /^\$\{(payload|target)\.([A-Za-z0-9_]+)/;
