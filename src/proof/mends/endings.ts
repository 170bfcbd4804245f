// Mends of how a check ends: with a message, with `|| true`, or with a loop that ends well although it never succeeded.
import type { SyntaxNode } from "unbash";
import { plainWord, programName, visit, wordsOf } from "../syntax.ts";
import { type Edit, type MendPattern, slice } from "./edits.ts";

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

/** `if cmd; then echo up; else echo down; fi`. */
export const toldFailure: MendPattern = (node, place) => {
  if (node.type !== "If" || !place.last || node.elif.length > 0) return null;
  const lists = node.else === undefined ? [node.then] : [node.then, node.else];
  if (!lists.every(({ commands }) => commands.every(({ command }) => isTalk(command)))) return null;
  const why = "both branches end with 0, so the condition decides nothing";
  return { pos: node.pos, end: node.end, text: slice(place, node.clause), why };
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
