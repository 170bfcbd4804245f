import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { postgresqlDatabases } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { aTask } from "./store-records.ts";
import { storeSuite } from "./store-suite.ts";

const databases = postgresqlDatabases();
const server = postgres();
afterAll(() => Promise.all([databases?.stop(), server?.stop()]));

if (databases === null || server === null) {
  test.skip("PostgreSQL is not installed", () => undefined);
} else {
  storeSuite(async () => createStore({ database: await databases.create(), clock: () => new Date() }));

  test("an answer is refused when another session replaces the question between its read and its write", async () => {
    const url = await server.createDatabase();
    const database = await openDatabase({ url });
    const store = createStore({ database, clock: () => new Date() });
    const task = aTask({ status: "need_input", waiting: { kind: "teaching", interrupt_id: "i-1" } });
    const { task_id } = task;
    await store.commit({ thread_id: task_id, after: null, events: [], changes: [{ on: "task_created", task }] });
    const other = await new PrismaPg({ connectionString: url }).connect();
    await other.executeScript("BEGIN");
    const waiting = '{"interrupt_id":"i-2","kind":"teaching"}';
    await other.executeScript(`UPDATE task SET waiting = '${waiting}', row_sum = '' WHERE task_id = '${task_id}'`);
    const expected = { status: ["need_input"], interrupt_id: "i-1" } as const;
    const change = { on: "task", task_id, expect: expected, set: { status: "running", waiting: null } } as const;
    const answer = store.commit({ thread_id: task_id, after: null, events: [], changes: [change] });
    // It has read i-1 and waits for the row.
    const sql =
      "SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const blocked = async () => (await other.queryRaw({ sql, args: [], argTypes: [] })).rows;
    await expect.poll(blocked, { timeout: 10_000 }).toEqual([[1]]);
    await other.executeScript("COMMIT");
    expect(await answer).toEqual({ ok: false, conflict: change });
    expect(await store.findTask(task_id)).toMatchObject({ status: "need_input", waiting: { interrupt_id: "i-2" } });
    await other.dispose();
    await database.close();
  });
}
