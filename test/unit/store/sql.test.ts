import { expect, test } from "vitest";
import { insertEvents, numbered } from "../../../src/store/sql.ts";

test("placeholders are numbered in order for PostgreSQL", () => {
  expect(numbered("a = ? AND b IN (?, ?)")).toBe("a = $1 AND b IN ($2, $3)");
});

test("an insert of events binds every value of every row, a missing one as null, and then those of its conditions", () => {
  const condition = { sql: "EXISTS (SELECT 1 FROM server WHERE epoch = ?)", args: [7] };
  const { sql, args } = insertEvents([{ seq: 1, kind: "'; DROP TABLE t" }, { seq: 2 }], [condition]);
  expect(sql).toBe(
    "INSERT INTO journal_event (seq, kind) SELECT CAST(column1 AS INTEGER), CAST(column2 AS TEXT) FROM (VALUES (?, ?), (?, ?)) AS event WHERE TRUE AND EXISTS (SELECT 1 FROM server WHERE epoch = ?)",
  );
  expect(args).toEqual([1, "'; DROP TABLE t", 2, null, 7]);
});
