import { expect, test } from "vitest";
import { insertEvents, numbered } from "../../../src/store/sql.ts";

test("placeholders are numbered in order for PostgreSQL", () => {
  expect(numbered("a = ? AND b IN (?, ?)")).toBe("a = $1 AND b IN ($2, $3)");
});

test("an insert of events binds every value of every row, a missing one as null", () => {
  const { sql, args } = insertEvents([{ seq: 1, kind: "'; DROP TABLE t" }, { seq: 2 }]);
  expect(sql).toBe("INSERT INTO journal_event (seq, kind) VALUES (?, ?), (?, ?)");
  expect(args).toEqual([1, "'; DROP TABLE t", 2, null]);
});
