// Whether a check says that it must not be run before the change.
import { type CheckTree, treeOf, visit } from "./syntax.ts";

/** A longer text is not parsed for it: the mark counts wherever it is. */
const MAX_PARSED = 2_048;
const ONCE = /(^|[\s;&|()])#[ \t]*orch:[ \t]*once(?![\w-])/gm;

/** Whether a comment opts out: `# orch: once`. */
export function hasOnce(text: string): boolean {
  const places = [...text.matchAll(ONCE)].map((match) => match.index + match[0].indexOf("#"));
  if (places.length === 0 || text.length > MAX_PARSED) return places.length > 0;
  const tree = treeOf(text);
  return tree !== null && places.some((at) => !isWithinWord(tree, at));
}

/** Of each of the texts. */
export const haveOnce = (texts: readonly string[]): readonly boolean[] => texts.map(hasOnce);

function isWithinWord(tree: CheckTree, at: number): boolean {
  let found = false;
  visit(tree, (node) => {
    const isText = node.type === "HereDocBody" || (node.type === "Word" && !hasScript(node));
    found ||= isText && node.pos <= at && at < node.end;
  });
  return found;
}

/** A comment may be within `$( )`. */
function hasScript(node: Parameters<typeof visit>[0]): boolean {
  let found = false;
  visit(node, (inner) => {
    found ||= inner.type === "Script";
  });
  return found;
}
