// Finds a check that looks only at files which the same agent has made and its contract does not name, or which the agent has left
// as they were: a marker says that the agent was there, and nothing of the goal.
import type { SyntaxNode } from "unbash";
import { filesTouched, isUntouched } from "./files-touched.ts";
import { pathOf } from "./path-of.ts";
import { programName, treeOf, visit, wordsOf } from "./syntax.ts";

type Given = {
  readonly check: string;
  /** The commands of the agent that changed something, as far as they passed. */
  readonly commands: readonly string[];
  /** All its commands that may have changed something; null where it did so otherwise. */
  readonly changes: readonly string[] | null;
  /** What the contract says: its words, in any order. */
  readonly contract: string;
  readonly directory: string | undefined;
};

const SEARCHES = /^[ef]?grep$/;
const LOOKS = /^(ls|stat|cat|head|tail|wc|file)$/;
const FILE_TEST = /^-[abcdefghLkprsSuwxOGN]$/;
const MAKES = /^(touch|mkdir|truncate)$/;
const PRINTS = /^(echo|printf|:|true|date|cat)$/;

type Marker = { readonly path: string; readonly is: "made" | "untouched" };

/** Null where it looks at something else too. Never throws. */
export function ownMarker({ check, commands, changes, contract, directory }: Given): Marker | null {
  try {
    const seen = filesSeen(check, directory);
    if (seen === null || seen.length === 0) return null;
    const made = new Set(commands.flatMap((command) => filesMade(command, directory)));
    const known = new Set(partsOf(contract));
    const isMarker = (path: string) => made.has(path) && !partsOf(baseName(path)).some((part) => known.has(part));
    const touched = changes === null ? null : filesTouched(changes, directory);
    const isAsBefore = (path: string) => touched !== null && isUntouched(path, touched);
    const other = seen.find((path) => !isMarker(path));
    if (other === undefined) return { path: seen[0] ?? "", is: "made" };
    return seen.every((path) => isMarker(path) || isAsBefore(path)) ? { path: other, is: "untouched" } : null;
  } catch {
    // Nested too deeply for this process.
    return null;
  }
}

/** Null where it looks at something else too. */
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

/** Empty files and directories. */
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
