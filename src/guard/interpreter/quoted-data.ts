// Whether what is not known of a text is data in it: `rm -rf '<unknown>'`.
import { forEachChild, type parse, type SyntaxNode } from "unbash";
import { BRACE, UNKNOWN } from "../words/symbols.ts";

const countOf = (text: string): number => text.split(UNKNOWN).length - 1;

/** `script` is the parsed text. Only single quotes keep everything in them from being code. */
export function isQuotedData(text: string, script: ReturnType<typeof parse>): boolean {
  if (script.errors !== undefined || text.includes(BRACE)) return false;
  let quoted = 0;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "SingleQuoted") quoted += countOf(node.value);
    forEachChild(node, visit);
  };
  visit(script);
  return quoted === countOf(text);
}
