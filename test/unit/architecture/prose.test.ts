// The style guide of CONTRIBUTING: words that comments, messages and documents do not use.
import ts from "typescript";
import { expect, test } from "vitest";
import { DOCUMENTS, filesIn, offenders, SOURCES, TESTS } from "./source-files.ts";
import { titlesIn } from "./test-titles.ts";

const BANNED =
  /\b(whoever|whatever|nobody|borne|bears|tells|told|stands|behind|comes to|spec(ification)? section)\b|\(design:/i;
/** Where a comment goes on in the next line. */
const JOIN = /\n\s*(\/\/|\*)\s*/g;
const CODE_IN_TEXT = /```[\s\S]*?```|`[^`]*`/g;

const LITERALS = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.JsxText,
]);

type Prose = { readonly comments: readonly string[]; readonly sentences: readonly string[] };

const proseOf = (text: string, path = "file.ts"): string => {
  const { comments, sentences } = partsOf(text, path);
  return [...comments, ...sentences].join("\n").replaceAll(JOIN, " ");
};

/** Of a test file: literals are data there, except for titles. */
const testProseOf = (text: string): string =>
  [...partsOf(text).comments, ...titlesIn(text).flatMap(({ path }) => path)].join("\n").replaceAll(JOIN, " ");

/** The comments of a source file, and its literals that are sentences. A single word may be data. */
function partsOf(text: string, path = "file.ts"): Prose {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const sentences: string[] = [];
  let rest = text;
  const visit = (node: ts.Node): void => {
    if (LITERALS.has(node.kind)) {
      const literal = node.getText(file);
      rest = rest.slice(0, node.getStart(file)) + " ".repeat(literal.length) + rest.slice(node.end);
      if (ts.isJsxText(node)) sentences.push(literal.replaceAll(/\s+/g, " "));
      else if (literal.includes(" ") && !ts.isRegularExpressionLiteral(node)) sentences.push(literal.slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const comments = [...rest.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(([comment]) => comment);
  return { comments, sentences };
}

const isBanned = (prose: string): boolean => BANNED.test(prose.replaceAll(CODE_IN_TEXT, ""));

/** Only such a file is worth parsing. */
const mayBe = (text: string): boolean => BANNED.test(text.replaceAll(JOIN, " "));

test("the check finds a banned word in a comment and in a message, and no data", () => {
  expect(isBanned(proseOf('const a = "nobody"; // it runs `whatever`'))).toBe(false);
  expect(isBanned(proseOf("const a = 1;\n// it comes\n// to nothing"))).toBe(true);
  expect(isBanned(proseOf("fail(`the server tells nothing`)"))).toBe(true);
  expect(isBanned(proseOf("const a = <p>\n  It tells\n  a lot.</p>;", "a.tsx"))).toBe(true);
  expect(isBanned(proseOf("const behind = /told by/;"))).toBe(false);
  expect(isBanned(testProseOf('const a = "it tells nothing"; test("says it", () => {});'))).toBe(false);
  expect(isBanned(testProseOf('test("tells it", () => {});'))).toBe(true);
});

test("no comment, message or document uses a banned word", () => {
  const sources = [...SOURCES, ...filesIn("prisma"), "vitest.config.ts", "vitest.mutants.config.ts"];
  const found = [
    ...offenders(sources, (text, path) => mayBe(text) && isBanned(proseOf(text, path))),
    ...offenders(TESTS, (text) => mayBe(text) && isBanned(testProseOf(text))),
    ...offenders(DOCUMENTS, (text) => isBanned(text)),
  ];
  expect(found).toEqual([]);
});
