// Mends of comparisons: what a failed program leaves in them is empty text, and empty text is often right.
import type { SyntaxNode } from "unbash";
import { plainWord, programName } from "../syntax.ts";
import {
  comparison,
  type Edit,
  freshNames,
  inPlace,
  isCondition,
  isGrep,
  lastCommand,
  type MendPattern,
  type MendPlace,
  ONLY_ANSWERS,
  onlySubstitution,
  type Substituted,
  searchedOutput,
  single,
  slice,
} from "./edits.ts";
import { countsLines } from "./hoists.ts";

const ANSWER_COUNTS = "the check passes when the command inside $( ) fails, because its output is then empty";

/** `test "$(a)" = "$(b)"`. */
export const twoOutputs: MendPattern = (node, place) => {
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
export const oneOutput: MendPattern = (node, place) => {
  const compared = comparison(node);
  if (compared === null || !isCondition(node, place)) return null;
  const { left, operator, right, strict } = compared;
  const output = onlySubstitution(left, place);
  const value = plainWord(right);
  // What fails on the host may be as it should be.
  if (output === null || isRemote(output.node) || onlySubstitution(right, place) !== null) return null;
  if (isEmptyText(operator, value)) return empty(output, node, place);
  const counts = isCount(output.node);
  if (counts && operator === "-ge" && value === "0")
    return edit(node, place, { text: `test "$(${output.text})" -ge 1`, why: "a count is never less than 0" });
  const passes = operator === "!=" || (/^-(lt|le|ne|eq)$/.test(operator) && (counts || !strict));
  const isNone = counts && /^==?$/.test(operator) && value === "0";
  if (!passes && !isNone) return null;
  if (counts && /^(-eq|==?)$/.test(operator) && value === "0") return noLines(output, node, place);
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

/** `[ "$(p | wc -l)" -eq 0 ]`: p must answer, with nothing. */
function noLines(output: Substituted, node: SyntaxNode, place: MendPlace): Edit | null {
  const { node: pipeline } = output;
  const last = lastCommand(pipeline);
  if (pipeline.type !== "Pipeline" || last?.type !== "Command") return null;
  if (isGrep(last)) return searched(pipeline, node, place, /\s-([a-z]*)c([a-z]*)\b/);
  const [first] = pipeline.commands;
  const before = pipeline.commands.at(-2);
  const [name] = freshNames(place.source, 1);
  if (first === undefined || before === undefined || name === undefined) return null;
  if (isGrep(before)) return searched({ ...pipeline, commands: pipeline.commands.slice(0, -1) }, node, place, /(?!)/);
  return edit(node, place, {
    text: `${name}=$(${place.source.slice(first.pos, before.end)}) && test -z "$${name}"`,
    why: ANSWER_COUNTS,
  });
}

/** `p | grep -c x`: the count is not needed. */
function searched(pipeline: SyntaxNode, node: SyntaxNode, place: MendPlace, count: RegExp): Edit | null {
  const found = searchedOutput(pipeline, place);
  const [name] = freshNames(place.source, 1);
  if (found === null || name === undefined) return null;
  const grep = found.grep.replace(count, " -$1q$2");
  return edit(node, place, {
    text: `${name}=$(${found.before}) && ! ${grep} <<<"$${name}"`,
    why: `${ANSWER_COUNTS}; ${ONLY_ANSWERS}`,
  });
}

/** `test -z "$(p)"`. */
export const emptyOutput: MendPattern = (node, place) => {
  const tested = single(node);
  if (tested === null || tested.operator !== "-z" || !isCondition(node, place)) return null;
  const output = onlySubstitution(tested.operand, place);
  return output === null || isRemote(output.node) ? null : empty(output, node, place);
};

function empty(output: Substituted, node: SyntaxNode, place: MendPlace): Edit | null {
  if (isGrep(lastCommand(output.node))) return searched(output.node, node, place, /(?!)/);
  const [name] = freshNames(place.source, 1);
  if (name === undefined) return null;
  return edit(node, place, { text: `${name}=$(${output.text}) && test -z "$${name}"`, why: ANSWER_COUNTS });
}

/** `[ "$(p | wc -l)" ]`, `[ -n "$(p | wc -l)" ]`, `[ -n $(p) ]`. */
export const someOutput: MendPattern = (node, place) => {
  const tested = single(node);
  if (tested === null || !isCondition(node, place) || (tested.operator !== "" && tested.operator !== "-n")) return null;
  const output = onlySubstitution(tested.operand, place);
  if (output === null) return null;
  if (isCount(output.node))
    return edit(node, place, { text: `test "$(${output.text})" -ge 1`, why: "a count is never empty: it is 0" });
  if (output.quoted || tested.operator !== "-n" || node.type === "TestCommand") return null;
  return edit(node, place, {
    text: `test -n "$(${output.text})"`,
    why: "without quotes, empty output leaves no word, and -n alone is true",
  });
};

/** `x=$(a); test "$x" = ...`: the failure of the assignment is lost. */
export const looseAssignment: MendPattern = (node, { source }) => {
  if (node.type !== "Script" && node.type !== "CompoundList") return null;
  for (const [at, statement] of node.commands.entries()) {
    const next = node.commands[at + 1];
    if (next === undefined || statement.background === true || !endsWithOutput(statement.command)) continue;
    const between = source.slice(statement.command.end, next.pos);
    if (!/^[ \t]*[;\n]\s*$/.test(between) || !joins(next.command) || /\$\?/.test(source.slice(next.pos, next.end)))
      continue;
    return { pos: statement.command.end, end: next.pos, text: " && ", why: LOST };
  }
  return null;
};

const LOST = "the failure of the command inside $( ) is lost, and the variable is then empty";

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
