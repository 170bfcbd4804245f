// The rows that a server keeps to change them without reading them take little memory (D-312, D-400).
import { describe, expect, test } from "vitest";
import { createKeptRows } from "../../../src/store/kept-rows.ts";
import type { Sql } from "../../../src/store/sql-connection.ts";

const written: Sql = { run: async () => 1, rows: async () => [] };

async function keptAfter(sizes: readonly number[], most?: number) {
  const kept = createKeptRows(most);
  const { sql, keep } = kept.observed(written);
  for (const [at, size] of sizes.entries()) {
    const row = { task_id: `t-${at}`, contract: "x".repeat(size) };
    await sql.run({ sql: "", args: [], row: { table: "task", where: row, set: row } });
  }
  keep();
  return sizes.map((_, at) => kept.find({ table: "task", where: { task_id: `t-${at}` } }) !== null);
}

describe("kept rows", () => {
  test("are those that were written last", async () => {
    expect(await keptAfter([1, 1, 1], 2)).toEqual([false, true, true]);
  });

  test("contain none that is large", async () => {
    expect(await keptAfter([100, 1_000_000, 100])).toEqual([true, false, true]);
  });

  test("are none where none may be kept", async () => {
    expect(await keptAfter([1, 1], 0)).toEqual([false, false]);
  });

  test("lose a row that has become large", async () => {
    const kept = createKeptRows();
    const { sql, keep } = kept.observed(written);
    const where = { task_id: "t" };
    await sql.run({ sql: "", args: [], row: { table: "task", where, set: where } });
    keep();
    const set = { contract: "x".repeat(1_000_000) };
    const more = kept.observed(written);
    await more.sql.run({ sql: "", args: [], row: { table: "task", where, set } });
    more.keep();
    expect(kept.find({ table: "task", where })).toBeNull();
  });

  test("contain no procedure after another server has changed one, and every task but the one in doubt", async () => {
    const kept = createKeptRows();
    const { sql, keep } = kept.observed(written);
    const rows = [{ sop_id: "s-1" }, { sop_id: "s-2" }, { task_id: "t-1" }, { task_id: "t-2" }];
    const of = rows.map((row) => ({ table: "sop_id" in row ? "sop" : "task", where: row, set: row }) as const);
    for (const row of of) await sql.run({ sql: "", args: [], row });
    keep();
    for (const row of [of[0], of[2]]) if (row !== undefined) kept.doubt(row);
    expect(of.map((row) => kept.find(row) !== null)).toEqual([false, false, false, true]);
  });
});
