// Finds a check that looks only at files which the same agent has made, and which its contract does not name: a marker says that
// the agent was there, and nothing of the goal.
import type { SyntaxNode, Word } from "unbash";
import { programName, treeOf, visit, wordsOf } from "./syntax.ts";

type Given = {
  readonly check: string;
  /** The commands of the agent that changed something, as far as they passed. */
  readonly commands: readonly string[];
  /** What the contract says: its words, in any order. */
  readonly contract: string;
  readonly directory: string | undefined;
};

const SEARCHES = /^[ef]?grep$/;
const LOOKS = /^(ls|stat|cat|head|tail|wc|file)$/;
const FILE_TEST = /^-[abcdefghLkprsSuwxOGN]$/;
const MAKES = /^(touch|mkdir|truncate)$/;
const PRINTS = /^(echo|printf|:|true|date|cat)$/;

/** The marker, or null. Never throws. */
export function ownMarker({ check, commands, contract, directory }: Given): string | null {
  try {
    const seen = filesSeen(check, directory);
    if (seen === null || seen.length === 0) return null;
    const made = new Set(commands.flatMap((command) => filesMade(command, directory)));
    const known = new Set(partsOf(contract));
    const isMarker = (path: string) => made.has(path) && !partsOf(baseName(path)).some((part) => known.has(part));
    return seen.every(isMarker) ? (seen[0] ?? null) : null;
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

/** As it is spelled from the directory of the task. */
function pathOf({ text }: Word, directory: string | undefined): string {
  const plain = text.replace(/["']/g, "").replace(/^\$\{?(ORCH_TARGET_COMPOSE_DIR|PWD)\}?\//, "");
  const here = directory !== undefined && plain.startsWith(`${directory}/`) ? plain.slice(directory.length + 1) : plain;
  return here.replace(/^(\.\/)+/, "");
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Its words and numbers, in lower case. */
const partsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
