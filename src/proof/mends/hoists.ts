// Mends that take a command out of a place where its failure is lost: an argument, a here-string, `export`, the input of a
// loop, the count of a search.
import type { Command, CommandExpansionPart, SyntaxNode, Word } from "unbash";
import { programName, wordsOf } from "../syntax.ts";
import {
  type Edit,
  freshNames,
  inPlace,
  isCondition,
  isGrep,
  isLastOfList,
  lastCommand,
  type MendPattern,
  type MendPlace,
  onlySubstitution,
  searchedOutput,
  slice,
} from "./edits.ts";

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

/** `export x=$(p)`, `local x=$(p)`: they have a status of their own. */
export const declaredOutput: MendPattern = (node, place) => {
  if (node.type !== "Command" || !isCondition(node, place)) return null;
  const program = programName(node) ?? "";
  const [assigned, ...others] = node.args;
  if (!DECLARES.test(program) || assigned?.type !== "Assignment" || others.length > 0) return null;
  const value = assigned.value.type === "Word" ? onlySubstitution(assigned.value, place) : null;
  if (value === null || !isLastOfList(node, place)) return null;
  const assignment = `${assigned.name}=$(${value.text})`;
  const isLater = program === "export" || program === "readonly";
  const text = isLater
    ? `${assignment} && ${program} ${assigned.name}`
    : `${program} ${assigned.name} && ${assignment}`;
  const why = `\`${program}\` ends with 0 when the command inside $( ) fails`;
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why };
};

/** `while read -r f; do ...; done < <(p)`: no round where p fails, or prints nothing. */
export const emptyRounds: MendPattern = (node, place) => {
  if (node.type !== "Redirected" || node.command.type !== "While" || !isCondition(node, place)) return null;
  const [redirect, ...others] = node.redirects;
  if (redirect?.type !== "Redirect" || redirect.operator !== "<" || others.length > 0) return null;
  const [part, ...more] = redirect.target?.parts ?? [];
  const [statement, ...rest] = part?.type === "ProcessSubstitution" ? (part.script?.commands ?? []) : [];
  const [name] = freshNames(place.source, 1);
  if (statement === undefined || more.length > 0 || rest.length > 0 || name === undefined) return null;
  const loop = slice(place, node.command);
  const text = `${name}=$(${slice(place, statement)}) && test -n "$${name}" && ${loop} <<<"$${name}"`;
  const why = "the loop has no round, and passes, when the command that feeds it fails or prints nothing";
  return { pos: node.pos, end: node.end, text: inPlace(text, node, place), why };
};

/** `n=$(p | grep -c x); [ "$n" -eq 0 ]`: grep also counts 0 in what failed. */
export const countedLines: MendPattern = (node, place): Edit | null => {
  if (node.type !== "Script" && node.type !== "CompoundList") return null;
  const [output] = freshNames(place.source, 1);
  for (const [at, statement] of node.commands.entries()) {
    const assigned = assignedCount(statement.command, place);
    const next = node.commands[at + 1];
    if (assigned === null || next === undefined || output === undefined) continue;
    const few = new RegExp(`\\$\\{?${assigned.name}\\}?"?\\s*(-eq\\s+"?0|-l[te]\\b|==?\\s*"?0)`);
    if (!few.test(slice(place, next))) continue;
    const text = `${output}=$(${assigned.before}) || exit 1; ${assigned.name}=$(${assigned.grep} <<<"$${output}")`;
    const why = "grep counts 0 lines when the command before it fails";
    return { pos: statement.command.pos, end: statement.command.end, text, why };
  }
  return null;
};

function assignedCount(node: SyntaxNode, place: MendPlace) {
  if (node.type !== "Command" || node.name !== undefined || node.prefix.length !== 1) return null;
  const [assigned] = node.prefix;
  if (assigned?.type !== "Assignment" || assigned.value.type !== "Word") return null;
  const output = onlySubstitution(assigned.value, place);
  const found = output === null ? null : searchedOutput(output.node, place);
  return found === null || !countsLines(found.grep) ? null : { name: assigned.name, ...found };
}

export const countsLines = (grep: string): boolean => /\s-[a-z]*c[a-z]*\b/.test(grep);
