// Mends of loops that wait: one that ends with 0 although it never succeeded, one whose limit of tries ends it as well as
// success does, and one that waits for something to go away and does not notice that it cannot look.
import type { SyntaxNode, While } from "unbash";
import { programName, visit, wordsOf } from "../syntax.ts";
import {
  type Edit,
  freshNames,
  type MendPattern,
  type MendPlace,
  ONLY_ANSWERS,
  searchedOutput,
  slice,
} from "./edits.ts";

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

const COUNTS = /-(ge|gt|le|lt)\b|\+\+|\bSECONDS\b|[<>]=?\s*\d/;

/** `until a || [ $n -ge 10 ]; do ...; done`, `while ! a && [ $((n++)) -lt 10 ]; do ...; done`. */
export const triesAtLimit: MendPattern = (node, place) => {
  const clause = clauseOf(node, place);
  if (clause?.type !== "AndOr" || clause.commands.length !== 2 || node.type !== "While") return null;
  const [operator] = clause.operators;
  if (operator !== (node.kind === "until" ? "||" : "&&")) return null;
  const asks = clause.commands.filter((command) => !COUNTS.test(slice(place, command)));
  const [asked, ...others] = asks;
  if (asked === undefined || others.length > 0) return null;
  const text = node.kind === "until" ? slice(place, asked) : turned(asked, place);
  return after(node, text, "the limit of tries ends the loop as well as success does");
};

function turned(node: SyntaxNode, place: MendPlace): string {
  if (node.type !== "Pipeline") return `! ${slice(place, node)}`;
  const [prefix, ...others] = node.prefixes;
  const first = node.commands[0];
  if (prefix?.type !== "Negation" || others.length > 0 || first === undefined) return `! ${slice(place, node)}`;
  return place.source.slice(first.pos, node.end);
}

/** `while p | grep -q x; do sleep 1; done`. */
export const searchedAway: MendPattern = (node, place) => {
  const clause = clauseOf(node, place);
  if (clause?.type !== "Pipeline" || clause.prefixes.length > 0) return null;
  if (node.type !== "While" || node.kind !== "while") return null;
  const found = searchedOutput(clause, place);
  const [name] = freshNames(place.source, 1);
  if (found === null || name === undefined) return null;
  const program = programName(found.first) ?? "the command";
  const text = `${name}=$(${found.before}) && ! ${found.grep} <<<"$${name}"`;
  return after(node, text, `the loop also ends when ${program} fails; ${ONLY_ANSWERS}`);
};

/** `until a; do sleep 1; done` with the mend of `a` after it: in its place it would wait for ever. */
export const awaited =
  (mendOf: (text: string) => Omit<Edit, "pos" | "end"> | null): MendPattern =>
  (node, place) => {
    const clause = clauseOf(node, place);
    if (clause === null || node.type !== "While" || node.kind !== "until") return null;
    const mend = mendOf(slice(place, clause));
    return mend === null ? null : after(node, mend.text, mend.why);
  };

/** What decides a loop at the end of the check, from which nothing leaves. */
function clauseOf(node: SyntaxNode, place: MendPlace): SyntaxNode | null {
  if (node.type !== "While" || !place.last || leaves(node)) return null;
  const [statement, ...others] = node.clause.commands;
  return statement === undefined || others.length > 0 ? null : statement.command;
}

function leaves({ body }: While): boolean {
  let found = false;
  visit(body, (inner) => {
    found ||= inner.type === "Command" && /^(break|exit|return)$/.test(programName(inner) ?? "");
  });
  return found;
}

const after = ({ end }: SyntaxNode, text: string, why: string): Edit => ({ pos: end, end, text: `; ${text}`, why });
