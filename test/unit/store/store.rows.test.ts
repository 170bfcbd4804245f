import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Approval } from "../../../src/domain/approval.ts";
import { EventRecord } from "../../../src/domain/journal.ts";
import { Sop } from "../../../src/domain/sop.ts";
import { Task } from "../../../src/domain/task.ts";
import { Prisma as Postgresql } from "../../../src/store/generated/postgresql/client.ts";
import { Prisma as Sqlite } from "../../../src/store/generated/sqlite/client.ts";
import { eventOf, rowOf, taskOf } from "../../../src/store/rows.ts";

describe.each([
  ["SQLite", Sqlite],
  ["PostgreSQL", Postgresql],
])("the columns in %s", (_name, columns) => {
  test.each([
    ["a task", Task, columns.TaskScalarFieldEnum, ["row_sum"]],
    ["an SOP", Sop, columns.SopScalarFieldEnum, ["row_sum"]],
    ["an approval", Approval, columns.ApprovalScalarFieldEnum, ["row_sum"]],
    ["an event", EventRecord, columns.JournalEventScalarFieldEnum, ["cursor", "message"]],
  ])("are exactly the fields of %s, in name and number", (_record, schema, held, ofTheStore) => {
    expect(Object.values(held).sort()).toEqual([...Object.keys(schema.shape), ...ofTheStore].sort());
  });
});

test("both clients have the same models with the same columns", () => {
  expect(Object.values(Postgresql.ModelName)).toEqual(Object.values(Sqlite.ModelName));
  for (const model of ["Checkpoint", "CheckpointBlob", "CheckpointWrite"] as const) {
    expect(Postgresql[`${model}ScalarFieldEnum`]).toEqual(Sqlite[`${model}ScalarFieldEnum`]);
  }
});

const Shape = z.object({ a: z.unknown(), b: z.unknown(), c: z.unknown() });

test("nested fields become canonical JSON text, others stay what they are", () => {
  expect(rowOf(Shape, { a: { z: 1, y: [null] }, b: null, c: "{}" })).toEqual({
    a: '{"y":[null],"z":1}',
    b: null,
    c: "{}",
  });
});

test("a field that the schema does not know, or that is undefined, makes no column", () => {
  expect(rowOf(Shape, { a: 1, b: undefined, "c = 1; --": 2 })).toEqual({ a: 1 });
});

test("a row that is not a record is an error that names it", () => {
  expect(() => taskOf({ task_id: "t-1", status: "sleeping" })).toThrow(/task t-1 in the database cannot be read/);
});

const event = {
  cursor: 1,
  thread_id: "t",
  seq: 3,
  at: "2026-03-06T09:00:00.000Z",
  prev_hash: "a",
  hash: "b",
  message: false,
};

test("an event is read by the schema of its kind", () => {
  const row = { ...event, kind: "step_started", body: '{"attempt":1,"index":0}' };
  expect(eventOf(row)).toMatchObject({ kind: "step_started", body: { index: 0, attempt: 1 } });
  expect(() => eventOf({ ...row, body: '{"index":0}' })).toThrow(/event 3 of t in the database cannot be read/);
  expect(() => eventOf({ ...row, kind: "constructor" })).toThrow(/unknown kind "constructor"/);
});
