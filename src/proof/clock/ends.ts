// Where the branches of a check end, and what it means that a condition begins to hold with time.
import type { Command, SyntaxNode } from "unbash";
import { isFailure } from "../conjuncts.ts";
import { plainWord, programName, wordsOf } from "../syntax.ts";

export type BranchEnd = "red" | "green" | null;

/** Where a branch always ends in the same way. Null: it depends, or the text goes on after it. */
export function endOf(node: SyntaxNode | undefined, isLast: boolean): BranchEnd {
  if (node === undefined) return null;
  if (node.type === "CompoundList") return endOf(node.commands.at(-1)?.command, isLast);
  if (node.type === "BraceGroup" || node.type === "Subshell") return endOf(node.body, isLast);
  if (isFailure(node)) return isLast || programName(node as Command) !== "false" ? "red" : null;
  if (node.type !== "Command") return null;
  const name = programName(node) ?? "";
  if (/^(exit|return)$/.test(name)) return plainWord(wordsOf(node)[0]) === "0" ? "green" : null;
  return isLast && /^(true|:|echo|printf)$/.test(name) ? "green" : null;
}

/** A condition that begins to hold with time leads from one end to another. */
export function chosen(condition: number, then: BranchEnd, otherwise: BranchEnd): number {
  if (condition === 0 || (then !== null && then === otherwise)) return 0;
  if (then === "red" || otherwise === "green") return -condition;
  if (then === "green" || otherwise === "red") return condition;
  return Number.NaN;
}
