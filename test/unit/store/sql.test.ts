import { expect, test } from "vitest";
import { Prisma } from "../../../src/store/generated/sqlite/client.ts";
import { insertEvents, type Session, serverIs } from "../../../src/store/sql.ts";

const EVENT = { thread_id: "t", kind: "k", message: false, at: "a", prev_hash: "p", hash: "h" };

test("an insert of events binds every value of every row, and then those of its conditions, on both databases", async () => {
  const sent: Prisma.Sql[] = [];
  const session = { $executeRaw: async (statement: Prisma.Sql) => sent.push(statement) } as unknown as Session;
  const rows = [
    { ...EVENT, seq: 1, body: "'; DROP TABLE t" },
    { ...EVENT, seq: 2, body: "{}" },
  ];
  await insertEvents(session, rows, [Prisma.sql`TRUE`, serverIs({ server_id: "orch", epoch: 7, row_sum: "s" })]);
  const [statement] = sent;
  expect(statement?.values).toEqual([
    ...["t", 1, "k", "'; DROP TABLE t", false, "a", "p", "h"],
    ...["t", 2, "k", "{}", false, "a", "p", "h"],
    ...["orch", 7, "s"],
  ]);
  expect(statement?.sql).toContain(
    "(VALUES (?, ?, ?, ?, ?, ?, ?, ?),(?, ?, ?, ?, ?, ?, ?, ?)) AS event WHERE TRUE AND TRUE AND (",
  );
  expect(statement?.text).toContain("WHERE server_id = $17 AND epoch = $18 AND row_sum = $19) IS NOT NULL");
});
