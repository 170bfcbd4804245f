// The programs that a check would run, also within `sh -c`, `xargs` and `timeout`, and the absolute paths that it spells.
import { type CommandPrograms, observe, programsOf, type ShellContext } from "../guard/guard.ts";
import { treeOf, visit } from "./syntax.ts";

/** Base names, each once. `unresolved`: something may run that the text does not name. Never throws. */
export const programsIn = (text: string, context: ShellContext): CommandPrograms => programsOf(text, context);

const MAX_PATHS = 200;
/** After a blank, a quote or a sign; not within an address such as `http://web/x`. */
const PATH = /(^|[\s"'=,;:(<>|&@[])(\/[\w.@%+~-][^\s"'`;,()<>|&:$\\{}[\]*?]*)/g;

/** Absolute paths in words, redirections and quoted code, in order; a part that a variable or a pattern ends is cut there. */
export function pathsIn(text: string, context: ShellContext): string[] {
  const paths = new Set<string>();
  const collect = (given: string): void => {
    for (const [, before, path = ""] of given.replace(/\w+:\/\/[^\s"']*/g, "").matchAll(PATH))
      if (before !== undefined && paths.size < MAX_PATHS) paths.add(plain(path));
  };
  const tree = treeOf(text);
  if (tree !== null)
    visit(tree, (node) => {
      if (node.type === "Word") collect(node.value);
      else if (node.type === "HereDocBody") collect(node.text);
    });
  observe(text, context, {
    command: (words) => {
      for (const word of words) collect(word.replace(/[\uFDD0-\uFDEF]/g, "*"));
    },
    write: (path) => collect(path.replace(/[\uFDD0-\uFDEF]/g, "*")),
  });
  return [...paths].filter((path) => path !== "/");
}

/** `/srv/web/` and `/srv/web.` at the end of a sentence name the same directory. */
const plain = (path: string): string => path.replace(/[/.]+$/, "") || "/";
