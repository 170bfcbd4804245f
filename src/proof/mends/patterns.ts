// Holds the patterns of mends: places in a check where the failure of a command is lost.
import type { Command, CommandExpansionPart, SyntaxNode, Word } from "unbash";
import { plainWord, programName, visit, wordsOf } from "../syntax.ts";
import {
  comparison,
  type Edit,
  filesOf,
  freshNames,
  inPlace,
  isCondition,
  isGrep,
  isLastOfList,
  lastCommand,
  type MendPattern,
  type MendPlace,
  onlySubstitution,
  type Substituted,
  searchedOutput,
  single,
  slice,
} from "./places.ts";

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
export const forgivenFailure: MendPattern = (node, place) => {
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
export const lastMessage: MendPattern = (node, { source, parents }) => {
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
export const endlessHope: MendPattern = (node, place): Edit | null => {
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
export const absentLine: MendPattern = (node, place) => {
  if (node.type !== "Pipeline" || !isNegated(node)) return null;
  const [only] = node.commands;
  if (node.commands.length === 1 && isGrep(only)) return absentInFile(only, node, place);
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

function absentInFile(grep: Command, node: SyntaxNode, place: MendPlace): Edit | null {
  const [file, ...others] = filesOf(grep);
  if (file === undefined || others.length > 0 || /[*?[{]/.test(file.text)) return null;
  if (wordsOf(grep).some(({ text }) => /^-[a-z]*[rR]/.test(text))) return null;
  if (isLookedFor(node, place)) return null;
  const why = "`!` also passes when the file cannot be read";
  const text = `test -r ${slice(place, file)} && ${slice(place, node)}`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why };
}

/** `test -f file && ! grep ...` has looked before. */
function isLookedFor(node: SyntaxNode, place: MendPlace): boolean {
  const [parent] = place.parents;
  if (parent?.type !== "AndOr") return false;
  const before = parent.commands[parent.commands.findIndex((command) => command.pos === node.pos) - 1];
  return before !== undefined && /^(test|\[\[?) -[refs] /.test(slice(place, before));
}

/** `curl -s url` without `-f`. A check that looks at the status by itself, or searches the page, keeps its words. */
export const errorPage: MendPattern = (node, place) => {
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

/** `x=$(a); test "$x" = ...`: the failure of the assignment is lost. */
export const looseAssignment: MendPattern = (node, { source }) => {
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
export const argumentOutput: MendPattern = (node, place) => {
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
