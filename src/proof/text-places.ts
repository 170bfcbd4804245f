// Where bash hands on text of a command as it is spelled, and how that text is quoted: what puts a variable in its place needs
// to know.
import { forEachChild, type SyntaxNode } from "unbash";
import { treeOf } from "./syntax.ts";

export type TextPlace = {
  readonly pos: number;
  readonly end: number;
  /** `document`: a here-document in which variables are expanded; `verbatim`: text in which they are not. */
  readonly kind: "plain" | "double" | "single" | "document" | "verbatim";
};

/** Null where the command is no valid bash. What is in no place is a name, an operator or a comment. */
export function textPlaces(command: string): readonly TextPlace[] | null {
  const tree = treeOf(command);
  if (tree === null) return null;
  const places: TextPlace[] = [];
  const see = (node: SyntaxNode, within: TextPlace["kind"]): void => {
    const kind = kindOf(node, within);
    if (isText(node)) places.push({ pos: node.pos, end: node.end, kind });
    forEachChild(node, (child) => {
      // What backquotes decode has no place in the source.
      if (child.type !== "Script" || child.source === undefined) see(child, kind);
    });
  };
  see(tree, "plain");
  return places;
}

const isText = (node: SyntaxNode): boolean =>
  /^(Literal|SingleQuoted|AnsiCQuoted)$/.test(node.type) ||
  ((node.type === "Word" || node.type === "HereDocBody") && node.parts === undefined);

function kindOf(node: SyntaxNode, within: TextPlace["kind"]): TextPlace["kind"] {
  if (node.type === "DoubleQuoted" || node.type === "LocaleString") return "double";
  if (node.type === "SingleQuoted") return "single";
  if (node.type === "AnsiCQuoted") return "verbatim";
  if (node.type === "HereDoc") return node.delimiter?.quoted === false ? "document" : "verbatim";
  if (node.type === "HereDocDelimiter") return "verbatim";
  return /Expansion$|^ProcessSubstitution$/.test(node.type) ? "plain" : within;
}
