// Mends for a check that passes where it proves nothing. A mend is the check with the same meaning while everything works,
// and one that fails where the check could not look. It is offered by pattern, as text.
import { type Command, type CommandExpansionPart, forEachChild, type SyntaxNode, type Word } from "unbash";
import { constantExit } from "./constant.ts";
import { isFailure } from "./parts.ts";
import { type CheckTree, plainWord, programName, treeOf, visit, visitInPlace, wordsOf } from "./syntax.ts";

/** `why` is one sentence on what the check does not notice. */
export type Mend = { readonly text: string; readonly why: string };

const MAX_ROUNDS = 6;

/** One mend with all patterns that apply; none where there are none. Never throws. */
export function mendsOf(text: string): Mend[] {
  if (comparesWithItself(text)) return [];
  let mended = text;
  const reasons: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const edit = nextEdit(mended);
    if (edit === null) break;
    mended = mended.slice(0, edit.pos) + edit.text + mended.slice(edit.end);
    if (!reasons.includes(edit.why)) reasons.push(edit.why);
  }
  const isMended = reasons.length > 0 && mended.trim() !== "" && treeOf(mended) !== null;
  // Without what hid it, the rest may decide nothing either.
  return isMended && constantExit(mended, {}) === null ? [{ text: mended.trim(), why: reasons.join("; ") }] : [];
}

/** `diff <(a) <(a)`, `test "$(a)" = "$(a)"`: equal wherever it can be read, which no pattern mends. */
function comparesWithItself(text: string): boolean {
  const tree = treeOf(text);
  if (tree === null) return false;
  let found = false;
  visitInPlace(tree, (node) => {
    if (node.type === "Command") found ||= isTwice(wordsOf(node));
    if (node.type === "TestBinary") found ||= isTwice([node.left, node.right]);
  });
  return found;
}

function isTwice(words: readonly Word[]): boolean {
  const outputs = words.map(({ text }) => text).filter((text) => /^("?\$\(|<\()/.test(text));
  return new Set(outputs).size < outputs.length;
}

function nextEdit(text: string): Edit | null {
  const tree = treeOf(text);
  if (tree === null) return null;
  for (const pattern of PATTERNS) {
    const edit = firstEdit(text, tree, pattern);
    if (edit !== null) return edit;
  }
  return null;
}

/** Of a mend that looks for what must not be there: it can fail, and nothing more. */
const ONLY_ANSWERS = "this proves only that the command before it answers; a check that names the target is better";

const TALK = /^(true|:|echo|printf)$/;

/** What ends with 0 and asks nothing. */
function isTalk(node: SyntaxNode | undefined): boolean {
  if (node?.type !== "Command") return false;
  const name = programName(node) ?? "";
  return TALK.test(name) || (name === "exit" && plainWord(wordsOf(node)[0]) === "0");
}

/** `cmd || true`, `cmd && echo ok || echo fail`: also within a substitution. */
const forgivenFailure: MendPattern = (node, place) => {
  if (node.type !== "AndOr" || node.operators.at(-1) !== "||" || !isTalk(node.commands.at(-1))) return null;
  const [, script] = place.parents;
  if (!place.last && !(script?.type === "Script" && place.parents[0] === script.commands.at(-1))) return null;
  let kept = node.commands.slice(0, -1);
  if (kept.length > 1 && node.operators[kept.length - 2] === "&&" && isTalk(kept.at(-1))) kept = kept.slice(0, -1);
  const end = kept.at(-1)?.end ?? node.end;
  const dropped = place.source.slice(end, node.end).trim();
  return { pos: end, end: node.end, text: "", why: `\`${dropped}\` ends the check with 0 when it has failed` };
};

/** `cmd; echo ok`. */
const lastMessage: MendPattern = (node, { source, parents }) => {
  if (node.type !== "Script" || parents.length > 0) return null;
  const [last, before] = [node.commands.at(-1), node.commands.at(-2)];
  if (last === undefined || before === undefined || before.background === true || !isTalk(last.command)) return null;
  const dropped = source.slice(last.pos, last.end).trim();
  return {
    pos: before.end,
    end: last.end,
    text: "",
    why: `\`${dropped}\` comes last, so its exit code is the check's`,
  };
};

/** `for ...; do check && break; sleep 1; done`. */
const endlessHope: MendPattern = (node, place): Edit | null => {
  if ((node.type !== "For" && node.type !== "While" && node.type !== "ArithmeticFor") || !place.last) return null;
  if (place.parents.some(({ type }) => type === "Subshell" || type === "Function")) return null;
  const breaks: SyntaxNode[] = [];
  let nested = false;
  visit(node.body, (inner) => {
    nested ||= /^(For|While|ArithmeticFor|Select|Function)$/.test(inner.type);
    if (inner.type === "Command" && programName(inner) === "break" && wordsOf(inner).length === 0) breaks.push(inner);
  });
  if (nested || breaks.length === 0) return null;
  let text = slice(place, node);
  for (const { pos, end } of breaks.reverse())
    text = `${text.slice(0, pos - node.pos)}exit 0${text.slice(end - node.pos)}`;
  const why = "the loop ends with 0 also when no round succeeded";
  return { pos: node.pos, end: node.end, text: `${text}; exit 1`, why };
};

/** `! p | grep -q x`. */
const absentLine: MendPattern = (node, place) => {
  if (node.type !== "Pipeline" || !isNegated(node)) return null;
  const found = searchedOutput(node, place);
  const [name] = freshNames(place.source, 1);
  if (found === null || name === undefined) return null;
  const { before, needsLine } = answered(found.before, found.first);
  const line = needsLine ? ` && test -n "$${name}"` : "";
  const text = `${name}=$(${before})${line} && ! ${found.grep} <<<"$${name}"`;
  const why = `\`!\` also passes when ${programName(found.first) ?? "the command"} fails; ${ONLY_ANSWERS}`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why };
};

const isNegated = ({ prefixes }: Extract<SyntaxNode, { type: "Pipeline" }>): boolean =>
  prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;

/** journalctl ends with 0 where there is no journal: it must print a line, and not the one that says that there is none. */
function answered(before: string, first: Command): { readonly before: string; readonly needsLine: boolean } {
  if (programName(first) !== "journalctl") return { before, needsLine: false };
  const quiet = /\s(-[a-z]*q|--quiet)\b/.test(before);
  return { before: quiet ? before : before.replace("journalctl", "journalctl -q"), needsLine: true };
}

/** `curl -s url` without `-f`. A check that looks at the status by itself, or searches the page, keeps its words. */
const errorPage: MendPattern = (node, place) => {
  if (node.type !== "Command" || node.name === undefined || programName(node) !== "curl") return null;
  if (place.parents.some(({ type }) => type === "Pipeline" || type === "ProcessSubstitution")) return null;
  const words = wordsOf(node);
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => /^(--fail(-\w+)*|--write-out|-[a-zA-Z]*[fwI][a-zA-Z]*|--head|--version|-V)$/.test(text)))
    return null;
  const why = "curl ends with 0 for an error page; -f makes it fail";
  const silent = words.find(({ text }) => /^-[a-zA-Z]*s[a-zA-Z]*$/.test(text));
  if (silent === undefined) return { pos: node.name.end, end: node.name.end, text: " -fsS", why };
  const letters = silent.text.slice(1);
  const rest = [...letters].filter((letter) => !"fsS".includes(letter)).join("");
  return { pos: silent.pos, end: silent.end, text: `-fsS${rest}`, why };
};

const ANSWER_COUNTS = "the check passes when the command inside $( ) fails, because its output is then empty";

/** `test "$(a)" = "$(b)"`. */
const twoOutputs: MendPattern = (node, place) => {
  const compared = comparison(node);
  if (compared === null || !isCondition(node, place) || !/^(=|==|!=|-eq|-ne)$/.test(compared.operator)) return null;
  const { left, operator, right } = compared;
  const [first, second] = [onlySubstitution(left, place), onlySubstitution(right, place)];
  const [x, y] = freshNames(place.source, 2);
  if (first === null || second === null || x === undefined || y === undefined) return null;
  // What is compared with itself is equal on every machine where it can be read.
  if (first.text === second.text) return null;
  const test = `test "$${x}" ${operator === "==" ? "=" : operator} "$${y}"`;
  return edit(node, place, {
    text: `${x}=$(${first.text}) && ${y}=$(${second.text}) && ${test}`,
    why: "the check passes when both commands fail, because their outputs are then equally empty",
  });
};

/** `[[ $(a) -lt 5 ]]`, `test "$(a)" != b`, `[ "$(a | wc -l)" -eq 0 ]`: passed by empty output, or by no lines. */
const oneOutput: MendPattern = (node, place) => {
  const compared = comparison(node);
  if (compared === null || !isCondition(node, place)) return null;
  const { left, operator, right, strict } = compared;
  const output = onlySubstitution(left, place);
  const value = plainWord(right);
  // What fails on the host may be as it should be.
  if (output === null || isRemote(output.node) || onlySubstitution(right, place) !== null) return null;
  if (isEmptyText(operator, value)) return empty(output, node, place);
  const counts = isCount(output.node);
  const passes = operator === "!=" || (/^-(lt|le|ne|eq)$/.test(operator) && (counts || !strict));
  const isNone = counts && /^==?$/.test(operator) && value === "0";
  if (!passes && !isNone) return null;
  const last = lastCommand(output.node);
  const [name] = freshNames(place.source, 1);
  if (name === undefined) return null;
  // A search that finds nothing fails, and would then fail the mend.
  if (isGrep(last)) return fewLines({ output, operator, value: slice(place, right), name }, node, place);
  const compare = `"$${name}" ${operator} ${slice(place, right)}`;
  const isPattern =
    node.type === "TestCommand" && operator === "!=" && value !== null && /[*?[]/.test(slice(place, right));
  const test = isPattern ? `[[ ${compare} ]]` : `test ${compare}`;
  return edit(node, place, { text: `${name}=$(${output.text}) && ${test}`, why: ANSWER_COUNTS });
};

type Few = { readonly output: Substituted; readonly operator: string; readonly value: string; readonly name: string };

/** `[ "$(p | grep -c x)" -lt 10 ]`. */
function fewLines({ output, operator, value, name }: Few, node: SyntaxNode, place: MendPlace): Edit | null {
  const found = searchedOutput(output.node, place);
  if (found === null || !countsLines(found.grep)) return null;
  const text = `${name}=$(${found.before}) && test "$(${found.grep} <<<"$${name}")" ${operator} ${value}`;
  return edit(node, place, { text, why: "grep counts 0 lines when the command before it fails" });
}

const isRemote = (node: SyntaxNode): boolean => {
  const first = node.type === "Pipeline" ? node.commands[0] : node;
  return first?.type === "Command" && programName(first) === "ssh";
};

const isEmptyText = (operator: string, value: string | null): boolean => /^==?$/.test(operator) && value === "";

function isCount(node: SyntaxNode): boolean {
  const last = lastCommand(node);
  if (last?.type !== "Command") return false;
  return programName(last) === "wc" || (isGrep(last) && last.args.some(({ text }) => /^-[a-z]*c/.test(text)));
}

/** `test -z "$(p | grep x)"`. */
function searched(pipeline: SyntaxNode, node: SyntaxNode, place: MendPlace): Edit | null {
  const found = searchedOutput(pipeline, place);
  const [name] = freshNames(place.source, 1);
  if (found === null || name === undefined) return null;
  return edit(node, place, {
    text: `${name}=$(${found.before}) && ! ${found.grep} <<<"$${name}"`,
    why: `${ANSWER_COUNTS}; ${ONLY_ANSWERS}`,
  });
}

/** `test -z "$(p)"`. */
const emptyOutput: MendPattern = (node, place) => {
  const tested = single(node);
  if (tested === null || tested.operator !== "-z" || !isCondition(node, place)) return null;
  const output = onlySubstitution(tested.operand, place);
  return output === null || isRemote(output.node) ? null : empty(output, node, place);
};

function empty(output: Substituted, node: SyntaxNode, place: MendPlace): Edit | null {
  if (isGrep(lastCommand(output.node))) return searched(output.node, node, place);
  const [name] = freshNames(place.source, 1);
  if (name === undefined) return null;
  return edit(node, place, { text: `${name}=$(${output.text}) && test -z "$${name}"`, why: ANSWER_COUNTS });
}

/** `x=$(a); test "$x" = ...`: the failure of the assignment is lost. */
const looseAssignment: MendPattern = (node, { source }) => {
  if (node.type !== "Script" && node.type !== "CompoundList") return null;
  for (const [at, statement] of node.commands.entries()) {
    const next = node.commands[at + 1];
    if (next === undefined || statement.background === true || !endsWithOutput(statement.command)) continue;
    const between = source.slice(statement.command.end, next.pos);
    if (!/^[ \t]*[;\n]\s*$/.test(between) || !joins(next.command) || /\$\?/.test(source.slice(next.pos, next.end)))
      continue;
    return { pos: statement.command.end, end: next.pos, text: " && ", why: VARIABLE_EMPTY };
  }
  return null;
};

const VARIABLE_EMPTY = "the failure of the command inside $( ) is lost, and the variable is then empty";

/** An assignment of what a command prints, which may come after others. */
function endsWithOutput(node: SyntaxNode): boolean {
  if (node.type === "AndOr")
    return node.operators.every((operator) => operator === "&&") && endsWithOutput(node.commands.at(-1) ?? node);
  if (node.type !== "Command" || node.name !== undefined || node.prefix.length !== 1) return false;
  const [assignment] = node.prefix;
  const value = assignment?.type === "Assignment" && assignment.value.type === "Word" ? assignment.value : undefined;
  const [part, ...others] = value?.parts ?? [];
  const inner = part?.type === "DoubleQuoted" && part.parts.length === 1 ? part.parts[0] : part;
  if (inner?.type !== "CommandExpansion" || others.length > 0) return false;
  const last = inner.script?.commands.at(-1)?.command;
  // A search that finds nothing fails.
  return last !== undefined && !isGrep(lastCommand(last)) && !isRemote(last) && !/\b(grep|diff|cmp)\b/.test(inner.text);
}

/** What `&&` may come before without another meaning. */
const joins = (node: SyntaxNode): boolean =>
  /^(Command|TestCommand|ArithmeticCommand|Pipeline)$/.test(node.type) ||
  (node.type === "AndOr" && node.operators.every((operator) => operator === "&&"));

const edit = (node: SyntaxNode, place: MendPlace, { text, why }: Pick<Edit, "text" | "why">): Edit => ({
  pos: node.pos,
  end: node.end,
  text: inPlace(text, node, place),
  why,
});

const LOST = "the failure of the command inside $( ) is lost";

const DECLARES = /^(export|readonly|local|declare|typeset)$/;

const COMPARES = /^(test|\[)$/;

/** `jq -e . <<<"$(p)"`, `awk -v t="$(p)" ...`. */
const argumentOutput: MendPattern = (node, place) => {
  if (node.type !== "Command" || node.prefix.length > 0 || !isCondition(node, place)) return null;
  const program = programName(node) ?? "test";
  if (COMPARES.test(program) || DECLARES.test(program) || !isLastOfList(node, place)) return null;
  const [part, ...others] = wordsWithin(node).flatMap(expansionsOf);
  const [statement, ...more] = part?.script?.commands ?? [];
  const [name] = freshNames(place.source, 1);
  if (part === undefined || statement === undefined || name === undefined) return null;
  if (others.length > 0 || more.length > 0 || part.script?.source !== undefined) return null;
  // A search that finds nothing fails, and would then fail the mend.
  if (isGrep(lastCommand(statement.command))) return null;
  const { source } = place;
  const variable = /\w/.test(source[part.end] ?? "") ? `\${${name}}` : `$${name}`;
  const rest = `${source.slice(node.pos, part.pos)}${variable}${source.slice(part.end, node.end)}`;
  const text = `${name}=$(${slice(place, statement)}) && ${rest}`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why: LOST };
};

function wordsWithin(node: Command): readonly Word[] {
  const fed = node.redirects.flatMap((one) =>
    one.type === "HereString" && one.target !== undefined ? [one.target] : [],
  );
  return [...wordsOf(node), ...fed];
}

const expansionsOf = ({ parts = [] }: Word): CommandExpansionPart[] =>
  parts
    .flatMap((part) => (part.type === "DoubleQuoted" ? [...part.parts] : [part]))
    .flatMap((part) => (part.type === "CommandExpansion" ? [part] : []));

const countsLines = (grep: string): boolean => /\s-[a-z]*c[a-z]*\b/.test(grep);

/** The ending first: what comes before it decides only then. */
const PATTERNS: readonly MendPattern[] = [
  lastMessage,
  forgivenFailure,
  endlessHope,
  absentLine,
  twoOutputs,
  oneOutput,
  emptyOutput,
  looseAssignment,
  argumentOutput,
  errorPage,
];

type Edit = { readonly pos: number; readonly end: number; readonly text: string; readonly why: string };

/** `parents`: the nearest first. `last`: its status is that of the whole check. */
type MendPlace = {
  readonly source: string;
  readonly parents: readonly SyntaxNode[];
  readonly last: boolean;
};

type MendPattern = (node: SyntaxNode, place: MendPlace) => Edit | null;

/** The first edit that a pattern offers for a node of the source, outer nodes first. */
function firstEdit(source: string, tree: CheckTree, pattern: MendPattern): Edit | null {
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

const slice = ({ source }: MendPlace, { pos, end }: { readonly pos: number; readonly end: number }): string =>
  source.slice(pos, end);

/** Whether the status of the node counts as it is: it is not turned, not in a pipeline, and not within a substitution. */
function isCondition(node: SyntaxNode, { parents }: MendPlace): boolean {
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
function isLastOfList(node: SyntaxNode, { parents }: MendPlace): boolean {
  const list = parents.find(({ type }) => type === "Script" || type === "CompoundList");
  if (list?.type !== "Script" && list?.type !== "CompoundList") return false;
  const last = list.commands.at(-1);
  return last !== undefined && last.pos <= node.pos && node.end <= last.end;
}

/** Several commands in the place of one: in braces where `||` comes before. */
function inPlace(text: string, node: SyntaxNode, { parents }: MendPlace): string {
  const [parent] = parents;
  if (parent?.type !== "AndOr") return text;
  const at = parent.commands.findIndex(({ pos }) => pos === node.pos);
  return parent.operators[at - 1] === "||" ? `{ ${text}; }` : text;
}

function freshNames(source: string, count: number): readonly string[] {
  const wanted = count === 1 ? ["out", "result", "output"] : ["x", "y", "left", "right", "first", "second"];
  return wanted.filter((name) => !new RegExp(`\\b${name}\\b`).test(source)).slice(0, count);
}

/** `"$(p)"` or `$(p)` alone: the source of `p`. */
function onlySubstitution(word: Word | undefined, place: MendPlace): Substituted | null {
  const [part, ...others] = word?.parts ?? [];
  if (part === undefined || others.length > 0) return null;
  const inner = part.type === "DoubleQuoted" ? (part.parts.length === 1 ? part.parts[0] : undefined) : part;
  if (inner?.type !== "CommandExpansion" || inner.script?.source !== undefined) return null;
  const [statement, ...more] = inner.script?.commands ?? [];
  if (statement === undefined || more.length > 0) return null;
  return { text: slice(place, statement), node: statement.command, quoted: part !== inner };
}

type Substituted = { readonly text: string; readonly node: SyntaxNode; readonly quoted: boolean };

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
function comparison(node: SyntaxNode): { left: Word; operator: string; right: Word; strict: boolean } | null {
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
function single(node: SyntaxNode): { readonly operator: string; readonly operand: Word } | null {
  if (node.type === "TestCommand" && node.expression.type === "TestUnary")
    return { operator: node.expression.operator, operand: node.expression.operand };
  const [first, second, ...more] = testWords(node) ?? [];
  if (first === undefined || more.length > 0) return null;
  return second === undefined
    ? { operator: "", operand: first }
    : { operator: plainWord(first) ?? "?", operand: second };
}

const isGrep = (node: SyntaxNode | undefined): node is Command =>
  node?.type === "Command" && /^[ef]?grep$/.test(programName(node) ?? "");

const lastCommand = (node: SyntaxNode): SyntaxNode | undefined =>
  node.type === "Pipeline" ? node.commands.at(-1) : node;

/** `a | b | grep x`: the source before the last pipe, and the grep. Null where the grep reads a file. */
function searchedOutput(node: SyntaxNode, place: MendPlace): { before: string; grep: string; first: Command } | null {
  if (node.type !== "Pipeline" || node.commands.length < 2) return null;
  const [first] = node.commands;
  const [before, grep] = node.commands.slice(-2);
  if (first?.type !== "Command" || before === undefined || !isGrep(grep) || filesOf(grep).length > 0) return null;
  if (node.operators.includes("|&")) return null;
  return { before: place.source.slice(first.pos, before.end), grep: slice(place, grep), first };
}

/** The words of a grep after its pattern. */
function filesOf(grep: Command): readonly Word[] {
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
