// Only src/engine/tasks/transitions.ts and src/engine/tasks/answer-pause.ts write a task's status: wherever else a task's row is changed,
// the change is spelled out and holds no status.
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { SOURCES, textOf } from "./source-files.ts";

const DECIDE = ["src/engine/tasks/answer-pause.ts", "src/engine/tasks/transitions.ts"];
/** Writes the rows that the changes of these name. */
const COMMIT = "src/store/commit.ts";

function property(object: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralElementLike | undefined {
  return object.properties.find(
    ({ name: key }) => key !== undefined && (ts.isIdentifier(key) || ts.isStringLiteral(key)) && key.text === name,
  );
}

function textOfProperty(object: ts.ObjectLiteralExpression, name: string): string | null {
  const given = property(object, name);
  if (given === undefined || !ts.isPropertyAssignment(given)) return null;
  const value = ts.isAsExpression(given.initializer) ? given.initializer.expression : given.initializer;
  return ts.isStringLiteral(value) ? value.text : null;
}

/** Whether an object of columns is spelled out, and none of them is the status. */
function keepsStatus(columns: ts.ObjectLiteralElementLike | undefined): boolean {
  if (columns === undefined || !ts.isPropertyAssignment(columns)) return false;
  const { initializer } = columns;
  if (!ts.isObjectLiteralExpression(initializer)) return false;
  return !initializer.properties.some(ts.isSpreadAssignment) && property(initializer, "status") === undefined;
}

/** A change that creates a task, or sets more of one than is spelled out without a status. */
function writesStatus(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false;
  const on = textOfProperty(node, "on");
  return on === "task_created" || (on === "task" && !keepsStatus(property(node, "set")));
}

const WRITES_ROW = /\.task\.(create|update|upsert)\w*$/;

/** A row that the store writes past `commit`. */
function writesRow(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !WRITES_ROW.test(node.expression.getText())) return false;
  const [query] = node.arguments;
  return query === undefined || !ts.isObjectLiteralExpression(query) || !keepsStatus(property(query, "data"));
}

function anyIn(node: ts.Node, is: (node: ts.Node) => boolean): boolean {
  return is(node) || (ts.forEachChild(node, (child) => anyIn(child, is)) ?? false);
}

/** Parsing every file takes seconds; few of them name a task's row at all. */
const NAMES_ROW = /["'`]task(_created)?["'`]|\.task\./;

const writes = (text: string): boolean =>
  NAMES_ROW.test(text) &&
  anyIn(
    ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true),
    (node) => writesStatus(node) || writesRow(node),
  );

describe("a task's status", () => {
  test("is written by the two files of its transitions and by no other", () => {
    expect(SOURCES.filter((path) => path !== COMMIT && writes(textOf(path)))).toEqual(DECIDE);
  });

  test.each([
    ['const change = { on: "task", task_id, expect, set: { status: "running" } };', true],
    ['const change = { on: "task" as const, task_id, expect, set };', true],
    ['const change = { on: "task", task_id, expect, set: { ...left, outcome } };', true],
    ['commit([{ on: "task_created", task }]);', true],
    ['await client.task.updateMany({ where, data: { status: "failed" } });', true],
    ['const change = { on: "task", task_id, expect: { status: ["ok"] }, set: { verification } };', false],
    ["await client.task.updateMany({ where: { status }, data: { lease_expires_at } });", false],
    ['const change = { on: "sop", sop_id, expect, status };', false],
  ])("%s writes one: %s", (text, expected) => {
    expect(writes(text)).toBe(expected);
  });
});
