// A journal is read in one place: what its events say of a task is folded by src/engine/tasks/projection.ts and read from there.
import ts from "typescript";
import { expect, test } from "vitest";
import { EVENT_BODIES } from "../../../src/domain/journal.ts";
import { SOURCES, textOf } from "./source-files.ts";

/** The files that may ask an event for its kind, and why. */
const READERS: readonly (readonly [RegExp, string])[] = [
  [
    /^src\/(engine\/tasks\/(projection|steps-fold)|features\/[\w-]+\/fold)\.ts$/,
    "the fold, and what each feature makes of its kinds",
  ],
  [
    /^src\/(engine\/evidence\/verify\/(bundle|walk|promises)|features\/[\w-]+\/verify)\.ts$/,
    "judge the order of a foreign journal, in one walk",
  ],
  [/^src\/engine\/tasks\/anchors-in\.ts$/, "reads the thread of the anchors, which is of no task"],
  [/^src\/domain\/scorecard\//, "counts what a projection does not keep, such as times, of a task that has ended"],
  [
    /^src\/(features\/traces\/|engine\/tasks\/thread\.ts$)/,
    "makes spans of the events, one by one, and hands on the trace of a submit",
  ],
  [
    /^src\/metrics\/metrics\.ts$/,
    "measures the steps that a commit has ended, and counts the answers of the routing model",
  ],
  [/^src\/engine\/worker\/hold-back\.ts$/, "sees among the events of a commit that a task begins with it"],
  [
    /^src\/engine\/worker\/threads\.ts$/,
    "looks for a rival or an end among the events that an owner reads on, and for the end of a step among those of a commit",
  ],
  [/^src\/features\/freeze\/operations\.ts$/, "reads what a freeze is whose row cannot be read"],
  [/^src\/domain\/change\.ts$/, "says which commits other servers hear of"],
  [
    /^src\/domain\/journal\.ts$/,
    "defines which events are messages, and finds the fields of events that an earlier version cannot read",
  ],
  [/^src\/api\/operations\/list-messages\.ts$/, "gives the messages of all threads, which no projection holds"],
  [/^src\/api\/http\/journal-stream\.ts$/, "sends nothing that a step wrote after its end"],
  [/^src\/features\/skills\/trial\/trial\.ts$/, "says in the title of a trial what a commit has recorded"],
  [
    /^src\/console\/pages\/task\/(run-of|agent-run)\.tsx?$/,
    "show what the events of one feature contain, in the browser; what is said of every event comes from the server",
  ],
  [/^src\/cli\//, "shows the events that a server sends, one by one"],
];

const KINDS: ReadonlySet<string> = new Set(Object.keys(EVENT_BODIES));
const MENTIONS = new RegExp(`journal\\.events|"(${[...KINDS].join("|")})"`);

/** Comparisons of something with a kind of event, `case` labels among them, and searches in the events of a journal. */
function scansIn(path: string): string[] {
  const text = textOf(path);
  if (!MENTIONS.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const scans: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isKindComparison(node) || isSearch(node)) scans.push(`${path}: ${node.getText(source).slice(0, 80)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return scans;
}

const isKind = (node: ts.Node): boolean => ts.isStringLiteralLike(node) && KINDS.has(node.text);

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function isKindComparison(node: ts.Node): boolean {
  if (ts.isCaseClause(node)) return isKind(node.expression);
  return (
    ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind) && (isKind(node.left) || isKind(node.right))
  );
}

const SEARCHES = /^(find|findLast|findIndex|findLastIndex|some|every|filter|flatMap|map|reduce|forEach|entries)$/;

const isSearch = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) &&
  SEARCHES.test(node.name.text) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === "events" &&
  /\bjournal$/.test(node.expression.expression.getText());

test("only the projection, and the readers named here, ask an event for its kind", () => {
  const scans = new Map(SOURCES.map((path) => [path, scansIn(path)]));
  expect(scans.get("src/engine/tasks/projection.ts")?.length).toBeGreaterThan(5);
  const others = [...scans].filter(([path]) => !READERS.some(([pattern]) => pattern.test(path)));
  expect(others.flatMap(([, found]) => found)).toEqual([]);
});

test("every reader that is named exists and reads", () => {
  const idle = READERS.filter(([pattern]) => !SOURCES.some((path) => pattern.test(path) && scansIn(path).length > 0));
  expect(idle).toEqual([]);
});
