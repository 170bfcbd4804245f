// Mends of how a check ends: with a message, with `|| true`, in the background, or with a test that any answer passes.
import type { SyntaxNode } from "unbash";
import { plainWord, programName, wordsOf } from "../syntax.ts";
import { type MendPattern, slice } from "./edits.ts";

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

/** `cmd &`, `cmd & wait`: nothing asks how it ended. */
export const leftAlone: MendPattern = (node, place) => {
  if (node.type !== "Script" || place.parents.length > 0) return null;
  const last = node.commands.at(-1);
  const waits = last?.command.type === "Command" && slice(place, last.command) === "wait";
  const alone = waits ? node.commands.at(-2) : last;
  if (alone?.background !== true || last === undefined) return null;
  const why = "a command in the background has the status 0";
  return { pos: alone.command.end, end: waits ? last.end : alone.end, text: "", why };
};

const ANY_CODE = /^(?:test|\[\[?)\s+"?\$\?"?\s+(?:-l[te]\s+\d+|(?:-ne|!=)\s+[1-9]\d*)(?:\s+\]\]?)?$/;

/** `cmd; test $? -lt 100`, `cmd || [ $? -ne 28 ]`. */
export const anyCode: MendPattern = (node, { source, last }) => {
  if (node.type !== "Script" && node.type !== "AndOr") return null;
  const [before, tested] = node.commands.slice(-2);
  if (before === undefined || tested === undefined || !last) return null;
  if (node.type === "AndOr" && node.operators.at(-1) !== "||") return null;
  const test = source.slice(tested.pos, tested.end).trim();
  if (!ANY_CODE.test(test)) return null;
  return { pos: before.end, end: tested.end, text: "", why: `\`${test}\` passes for many ways to fail` };
};

/** `case $(p) in good) echo ok ;; *) echo "not good" ;; esac`. */
export const toldOtherwise: MendPattern = (node, place) => {
  if (node.type !== "Case" || !place.last || node.items.length < 2) return null;
  if (!node.items.every(({ body }) => body.commands.every(({ command }) => isTalk(command)))) return null;
  const other = node.items.at(-1);
  const spoken = other?.body.commands.at(-1);
  if (other === undefined || spoken === undefined || other.pattern.some(({ text }) => text !== "*")) return null;
  return {
    pos: spoken.end,
    end: spoken.end,
    text: "; exit 1",
    why: "every branch ends with 0, also that of any other answer",
  };
};
