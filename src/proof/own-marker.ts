// Finds a check that reads only marker files or unchanged files. A marker is an empty file that the agent made and its contract does
// not name: it shows that the agent ran, not that it reached the goal.
import type { SyntaxNode } from "unbash";
import { filesTouched, isUntouched } from "./files-touched.ts";
import { pathOf } from "./path-of.ts";
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
