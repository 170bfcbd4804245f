// Finds a check that reads only marker files or unchanged files. A marker is an empty file that the agent made and its contract does
// not name: it shows that the agent ran, not that it reached the goal.
import type { Command, SyntaxNode, Word } from "unbash";
import { programName, treeOf, visit, wordsOf } from "./syntax.ts";

type Given = {
  readonly check: string;
  /** The agent's commands that changed something and passed. */
  readonly commands: readonly string[];
  /** All its commands that may have changed something. Null if a change was not a command, or if there was none. */
  readonly changes: readonly string[] | null;
  /** The words of the contract, in any order. */
  readonly contract: string;
  readonly directory: string | undefined;
};

const SEARCHES = /^[ef]?grep$/;
const LOOKS = /^(ls|stat|cat|head|tail|wc|file)$/;
const FILE_TEST = /^-[abcdefghLkprsSuwxOGN]$/;
const MAKES = /^(touch|mkdir|truncate)$/;
const PRINTS = /^(echo|printf|:|true|date|cat)$/;

type Marker = { readonly path: string; readonly is: "made" | "untouched" };

/** Returns null if the check also reads something else. Never throws. */
export function ownMarker({ check, commands, changes, contract, directory }: Given): Marker | null {
  try {
    const seen = filesSeen(check, directory);
    if (seen === null || seen.length === 0) return null;
    const made = new Set(commands.flatMap((command) => filesMade(command, directory)));
    const known = new Set(partsOf(contract));
    const isMarker = (path: string) => made.has(path) && !partsOf(baseName(path)).some((part) => known.has(part));
    const touched = changes === null ? null : filesTouched(changes, directory);
    const isUnchanged = (path: string) => touched !== null && isUntouched(path, touched);
    const other = seen.find((path) => !isMarker(path));
    if (other === undefined) return { path: seen[0] ?? "", is: "made" };
    return seen.every((path) => isMarker(path) || isUnchanged(path)) ? { path: other, is: "untouched" } : null;
  } catch {
    // Nested too deeply for this process.
    return null;
  }
}

/** Returns null if the text also reads something else. */
function filesSeen(text: string, directory: string | undefined): string[] | null {
  const tree = treeOf(text);
  if (tree === null) return null;
  const paths: string[] = [];
  let isOther = false;
  visit(tree, (node) => {
    if (node.type === "TestUnary" && FILE_TEST.test(node.operator)) paths.push(pathOf(node.operand, directory));
    else if (node.type === "Redirect" && node.operator === "<" && node.target !== undefined)
      paths.push(pathOf(node.target, directory));
    else if (node.type === "Command" && node.name !== undefined) {
      const name = programName(node) ?? "";
      const words = wordsOf(node);
      const operands = words.filter(({ text: word }) => !word.startsWith("-"));
      if (name === "test" || name === "[") {
        const tested = words.filter((_, at) => FILE_TEST.test(words[at - 1]?.text ?? ""));
        paths.push(...tested.map((word) => pathOf(word, directory)));
      } else if (SEARCHES.test(name)) paths.push(...operands.slice(1).map((word) => pathOf(word, directory)));
      else if (LOOKS.test(name)) paths.push(...operands.map((word) => pathOf(word, directory)));
      else isOther ||= !PRINTS.test(name) && name !== "set";
    }
  });
  return isOther ? null : paths;
}

/** Lists the empty files and directories that the command makes. */
function filesMade(text: string, directory: string | undefined): string[] {
  const tree = treeOf(text);
  if (tree === null) return [];
  const paths: string[] = [];
  visit(tree, (node: SyntaxNode) => {
    if (node.type !== "Command") return;
    const name = programName(node) ?? "";
    if (MAKES.test(name))
      paths.push(
        ...wordsOf(node)
          .filter(({ text: word }) => !word.startsWith("-"))
          .map((word) => pathOf(word, directory)),
      );
    // Text that it wrote may be what the task asked for.
    if (!/^(:|true)$/.test(name) && node.name !== undefined) return;
    for (const redirect of node.redirects)
      if (redirect.type === "Redirect" && /^(&?>>?|>\|)$/.test(redirect.operator) && redirect.target !== undefined)
        paths.push(pathOf(redirect.target, directory));
  });
  return paths;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Its words and numbers, in lower case. */
const partsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** Programs whose operands name no file. */
const NO_FILES = /^(echo|printf|:|true|false|date|sleep|exit|set)$/;
/** Programs that change only the files that their operands name. */
const NAMED_FILES = /^(cat|touch|mkdir|rmdir|truncate|tee|sed|cp|mv|rm|chmod|chown|ls|grep|head|tail|wc|test|\[)$/;
const UNKNOWN_PATH = /[$`*?[\]{}]|\.\.|^~/;
/** A sed script may run a command (`e`), write another file (`w`), or come from a file or from a long option. */
const RISKY_SED_WORD = /^-[a-z]*f|^--(file|expression)|\b[ew]\s/;

/** The files that the commands may change. Returns null if they may change a file that they do not name. Never throws. */
function filesTouched(commands: readonly string[], directory: string | undefined): readonly string[] | null {
  if (directory === undefined) return null;
  try {
    const all = commands.map((command) => touchedBy(command, directory));
    return all.some((paths) => paths === null) ? null : all.flatMap((paths) => paths ?? []);
  } catch {
    // Nested too deeply for this process.
    return null;
  }
}

function isUntouched(path: string, touched: readonly string[]): boolean {
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

/** Relative to the task's directory. */
function pathOf({ text }: Word, directory: string | undefined): string {
  const plain = text.replace(/["']/g, "").replace(/^\$\{?(ORCH_TARGET_COMPOSE_DIR|PWD)\}?\//, "");
  const here = directory !== undefined && plain.startsWith(`${directory}/`) ? plain.slice(directory.length + 1) : plain;
  return here.replace(/^(\.\/)+/, "").replace(/(?<=.)\/\.?$/, "");
}
