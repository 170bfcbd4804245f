import { expect, test } from "vitest";
import { insert, numbered, update } from "../../../src/store/sql.ts";

test("placeholders are numbered in order for PostgreSQL", () => {
  expect(numbered("a = ? AND b IN (?, ?)")).toBe("a = $1 AND b IN ($2, $3)");
});

test("an insert binds every value of every row, a missing one as null", () => {
  const { sql, args } = insert("t", [{ a: 1, b: "'; DROP TABLE t" }, { a: 2 }], "ON CONFLICT DO NOTHING");
  expect(sql).toBe("INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING");
  expect(args).toEqual([1, "'; DROP TABLE t", 2, null]);
});

test("an update binds what it sets before what it asks for", () => {
  const where = [
    { column: "id", among: ["x"] },
    { column: "status", among: ["running", "accepted"] },
  ];
  expect(update("t", { a: null, b: 2 }, where)).toEqual({
    sql: "UPDATE t SET a = ?, b = ? WHERE id IN (?) AND status IN (?, ?)",
    args: [null, 2, "x", "running", "accepted"],
  });
});
