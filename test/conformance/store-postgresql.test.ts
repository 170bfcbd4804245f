import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, expect, test } from "vitest";
import type { Commit } from "../../src/ports.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { postgresqlDatabases, sqlRows } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { aSop, aTask, eventsOf, reported, started } from "./store-records.ts";
import { storeSuite } from "./store-suite.ts";

const databases = postgresqlDatabases();
const server = postgres();
afterAll(() => Promise.all([databases?.stop(), server?.stop()]));

if (databases === null || server === null) {
  test.skip("PostgreSQL is not installed", () => undefined);
} else {
  storeSuite(async () => createStore({ database: await databases.create(), clock: () => new Date() }));

  test("a commit that is refused leaves its connection open, and a statement whose connection is lost opens another", async () => {
    const database = await databases.create();
    const connected = async () => (await sqlRows(database, "SELECT pg_backend_pid() AS pid"))[0]?.["pid"];
    const first = await connected();
    const refused = database.transaction((session) => session.$queryRawUnsafe("SELECT 1 / CAST($1 AS INTEGER)", 0));
    await expect(refused).rejects.toThrow();
    expect(await connected()).toBe(first);
    await expect(sqlRows(database, "SELECT pg_terminate_backend(pg_backend_pid())")).rejects.toThrow();
    expect(await connected()).not.toBe(first);
  });

  test("a commit with a message changes rows that another server has changed meanwhile", async () => {
    const database = await databases.create();
    const store = createStore({ database, clock: () => new Date() });
    const [task, sop] = [aTask(), aSop()];
    const { task_id } = task;
    const { sop_id } = sop;
    const made: Commit["changes"] = [
      { on: "task_created", task },
      { on: "sop_created", sop },
    ];
    const [first] = eventsOf(
      await store.commit({ thread_id: task_id, after: null, events: [started()], changes: made }),
    );
    const changes: Commit["changes"] = [
      { on: "task", task_id, expect: { status: [task.status] }, set: { status: "failed" } },
      { on: "sop_counted", sop_id, passed: false, proved: false },
    ];
    const [second] = eventsOf(
      await store.commit({ thread_id: task_id, after: first ?? null, events: [reported()], changes }),
    );
    expect(await store.findTask(task_id)).toMatchObject({ status: "failed" });
    expect(await store.findSop(sop_id)).toMatchObject({ failure_count: 1 });
    expect((await store.readMessages(0, 10)).map(({ event }) => event)).toEqual([second]);

    const counted: Commit["changes"] = [{ on: "sop_counted", sop_id, passed: true, proved: false }];
    const other = createStore({ database, clock: () => new Date() });
    await other.commit({ thread_id: "x", after: null, events: [], changes: counted });
    eventsOf(await store.commit({ thread_id: task_id, after: second ?? null, events: [started(1)], changes: counted }));
    expect(await store.findSop(sop_id)).toMatchObject({ failure_count: 1, success_count: 2 });

    const refused = { on: "task", task_id, expect: { status: ["running"] }, set: { status: "ok" } } as const;
    expect(
      await store.commit({ thread_id: task_id, after: second ?? null, events: [started(2)], changes: [refused] }),
    ).toEqual({
      ok: false,
      conflict: "journal",
    });
    expect(await store.readJournal(task_id)).toHaveLength(3);
  });

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
