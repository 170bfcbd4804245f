// Expansions that may turn a value of the target into any other text: `${NAME/a*/passwd}` reads the target and names something else.
import type { SyntaxNode } from "unbash";
import { visit } from "../syntax.ts";

type Range = { readonly pos: number; readonly end: number };

/** A pattern that only cuts at marks, such as `%%:*` or `##*\/`, leaves a part of the value. */
const HAS_TEXT = /[\p{L}\p{N}?[]/u;

/** Where the text reads a variable so that nothing, or another text, may be left of its value. */
export function bentNames(node: SyntaxNode): Range[] {
  const found: Range[] = [];
  visit(node, (part) => {
    if (part.type !== "ParameterExpansion") return;
    const { operation, prefix, pos, end } = part;
    const isBent =
      prefix === "#" ||
      operation?.type === "Slice" ||
      (operation?.type === "Default" && operation.operator.endsWith("+")) ||
      (operation?.type === "Remove" && HAS_TEXT.test(operation.operand.text)) ||
      (operation?.type === "Replace" && HAS_TEXT.test(operation.pattern.text + operation.replacement.text));
    if (isBent) found.push({ pos, end });
  });
  return found;
}
