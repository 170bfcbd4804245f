// The titles of the tests in a file, each with the titles of the groups around it.
import ts from "typescript";

const GROUPS = ["describe"];
const TESTS = ["test", "it"];
/** What is not run, or has to fail, proves nothing. */
const PROVES_NOTHING = ["skip", "todo", "fails"];

export interface TestTitle {
  /** The titles of the groups around it, the outermost first, and its own last; as they are written in the source. */
  readonly path: readonly string[];
  readonly is_group: boolean;
  readonly line: number;
}

/** The names a callee is made of: `describe.each(rows)` gives describe and each. */
function namesOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return namesOf(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return namesOf(callee.tag);
  return [""];
}

/** A title without its quotes, or null where the source does not show it. */
function textOfTitle(node: ts.Expression | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.getText().slice(1, -1);
  if (!ts.isBinaryExpression(node)) return null;
  return `${textOfTitle(node.left) ?? ""}${textOfTitle(node.right) ?? ""}`;
}

/** What a call of a runner is titled, or "skipped" for one that proves nothing. */
function titleOf(call: ts.CallExpression): { title: string | null; is_group: boolean } | "skipped" | null {
  const [runner = "", ...modifiers] = namesOf(call.expression);
  if (!GROUPS.includes(runner) && !TESTS.includes(runner)) return null;
  if (modifiers.some((modifier) => PROVES_NOTHING.includes(modifier))) return "skipped";
  return { title: textOfTitle(call.arguments[0]), is_group: GROUPS.includes(runner) };
}

export function titlesIn(source: string): TestTitle[] {
  const file = ts.createSourceFile("a.test.ts", source, ts.ScriptTarget.Latest, true);
  const titles: TestTitle[] = [];
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const titled = ts.isCallExpression(node) ? titleOf(node) : null;
    if (titled === "skipped") return;
    const path = titled === null || titled.title === null ? around : [...around, titled.title];
    if (path !== around) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      titles.push({ path, line, is_group: titled?.is_group ?? false });
    }
    ts.forEachChild(node, (child) => visit(child, path));
  };
  visit(file, []);
  return titles;
}
