// Lists the files that commands may change, if each program in them is known to change only files that its operands name.
import type { Command, SyntaxNode } from "unbash";
import { pathOf } from "./path-of.ts";
import { programName, treeOf, visit, wordsOf } from "./syntax.ts";

/** Programs whose operands name no file. */
const NO_FILES = /^(echo|printf|:|true|false|date|sleep|exit|set)$/;
/** Programs that change only the files that their operands name. */
const NAMED_FILES = /^(cat|touch|mkdir|rmdir|truncate|tee|sed|cp|mv|rm|chmod|chown|ls|grep|head|tail|wc|test|\[)$/;
const UNKNOWN_PATH = /[$`*?[\]{}]|\.\.|^~/;
/** A sed script may run a command (`e`), write another file (`w`), or come from a file or from a long option. */
const RISKY_SED_WORD = /^-[a-z]*f|^--(file|expression)|\b[ew]\s/;

/** Returns null if the commands may change a file that they do not name. Never throws. */
export function filesTouched(commands: readonly string[], directory: string | undefined): readonly string[] | null {
  if (directory === undefined) return null;
  try {
    const all = commands.map((command) => touchedBy(command, directory));
    return all.some((paths) => paths === null) ? null : all.flatMap((paths) => paths ?? []);
  } catch {
    // Nested too deeply for this process.
    return null;
  }
}

export function isUntouched(path: string, touched: readonly string[]): boolean {
  const isWithin = (one: string, other: string): boolean => one === other || one.startsWith(`${other}/`);
  return (
    path !== "." &&
    !UNKNOWN_PATH.test(path) &&
    !touched.some((one) => one === "." || isWithin(one, path) || isWithin(path, one))
  );
}

function touchedBy(text: string, directory: string): string[] | null {
  const tree = treeOf(text);
  if (tree === null) return null;
  const paths: string[] = [];
  let isKnown = true;
  visit(tree, (node: SyntaxNode) => {
    if (node.type === "Redirect" && node.target !== undefined) paths.push(pathOf(node.target, directory));
    if (node.type === "Function") isKnown = false;
    if (node.type !== "Command" || node.name === undefined) return;
    const operands = operandsOf(node);
    if (operands === null) isKnown = false;
    else paths.push(...operands.map((word) => pathOf(word, directory)));
  });
  const isWide = (path: string): boolean => UNKNOWN_PATH.test(path) || directory.startsWith(path);
  return isKnown && !paths.some(isWide) ? paths : null;
}

function operandsOf(command: Command) {
  const name = programName(command) ?? "";
  if (NO_FILES.test(name)) return [];
  if (!NAMED_FILES.test(name)) return null;
  const words = wordsOf(command);
  if (name === "sed" && words.some(({ text }) => RISKY_SED_WORD.test(text))) return null;
  const operands = words.filter(({ text }) => !text.startsWith("-"));
  return name === "sed" ? operands.slice(1) : operands;
}
