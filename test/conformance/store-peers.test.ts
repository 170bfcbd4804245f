// Several servers share a PostgreSQL database (D-313): each has a row with a lease, and one that is taken over writes nothing more.
import { spawnSync } from "node:child_process";
import { Client } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { thisProcess } from "../../src/process/holder.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { openSession } from "../../src/store/postgresql-session.ts";
import { createStore } from "../../src/store/store.ts";
import { runSql, sqlRows } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { aThread, eventsOf, started } from "./store-records.ts";
import { commitTo, expectReplaced } from "./store-replaced.ts";

const clock = () => new Date();
const server = postgres();
afterAll(() => server?.stop());

/** What the keepalive of the server does after a minute. */
async function endSessions(url: string): Promise<void> {
  const tool = await openDatabase({ url });
  await tool.client.$queryRawUnsafe(
    "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name LIKE 'orch pid%'",
  );
  await tool.close();
}

describe.skipIf(server === null)("servers that share a database", () => {
  const servers = async (...urls: string[]) =>
    Promise.all(urls.map((url) => openDatabase({ url, exclusive: true, self: { name: "n", labels: [] } })));
  /** As if it had not been heard for half a minute. */
  const expire = (database: Database, of: Database) =>
    runSql(
      database,
      "UPDATE server SET lease_expires_at = '2026-01-01T00:00:00.000Z', holder = ? WHERE server_id = ?",
      JSON.stringify({ host: "elsewhere", pid: 1, started: "", boot_id: null, pid_namespace: null }),
      of.servers.owner,
    );
  const ownedBy = ({ servers: { owner } }: Database) => ({ owner, lease_expires_at: null });

  test("two servers share a database, and each knows of the other that it lives", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const [first, second] = await servers(url, url);
    if (first === undefined || second === undefined) throw new Error("there are two");
    for (const database of [first, second]) eventsOf(await commitTo(database));
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      await one.servers.look();
      expect(one.servers.stateOf(ownedBy(other))).toMatchObject({ lives: true });
      expect(await one.servers.takeOver(other.servers.owner)).toBe(false);
    }
    for (const database of [first, second]) await database.close();
  });

  test("a server whose lease is over is taken over, and writes nothing more", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const heard: string[] = [];
    const first = await openDatabase({ url, exclusive: true, onFenced: (reason) => heard.push(reason) });
    const [second] = await servers(url);
    if (second === undefined) throw new Error("there is one");
    await expire(second, first);
    await second.servers.look();
    const lost = { lives: false, may_have_crashed: true, is_over: false };
    expect(second.servers.stateOf(ownedBy(first))).toEqual(lost);
    expect(await Promise.all([1, 2].map(() => second.servers.takeOver(first.servers.owner)))).toEqual([true, true]);
    await expectReplaced(first, heard, second);
    for (const database of [first, second]) await database.close();
  });

  test("a server that was taken over can report a late result, and nothing else", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const [first, second] = await servers(url, url);
    if (first === undefined || second === undefined) throw new Error("there are two");
    const stores = { lost: createStore({ database: first, clock }), other: createStore({ database: second, clock }) };
    const thread_id = aThread();
    const [start] = eventsOf(await stores.lost.commit({ thread_id, after: null, events: [started()] }));
    await expire(second, first);
    await second.servers.look();
    expect(await second.servers.takeOver(first.servers.owner)).toBe(true);
    await expectReplaced(first, ["heard"], second);
    const heard: (string | null)[] = [];
    second.hear((text) => heard.push(text));
    const late = {
      index: 0,
      attempt: 1,
      owner: "o",
      server: "nas",
      status: "passed",
      exit_code: 0,
      timed_out: false,
    } as const;
    const body = { ...late, ended_at: clock().toISOString(), stdout: "", stderr: "", message: "It has ended." };
    if (start === undefined) throw new Error("it was started");
    eventsOf(await stores.lost.appendLateResult(thread_id, start, body));
    expect((await stores.other.readJournal(thread_id)).map(({ kind }) => kind)).toEqual([
      "step_started",
      "late_result",
    ]);
    await expect.poll(() => heard).toContain(`${first.servers.owner} report ${thread_id}`);
    await expect(stores.lost.commit({ thread_id, after: "last", events: [started()] })).rejects.toMatchObject({
      code: "fenced",
    });
    for (const database of [first, second]) await database.close();
  });

  test("two new servers that start at once migrate one after the other, under a lock that ends with its transaction", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const tool = new Client({ connectionString: url });
    await tool.connect();
    await tool.query("BEGIN; SELECT pg_advisory_xact_lock(1869767528, 1)");
    let opened = 0;
    const opening = servers(url, url).then((all) => {
      opened = all.length;
      return all;
    });
    const WAITING =
      "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND NOT granted";
    const waiting = async () => (await tool.query(WAITING)).rows[0].count;
    await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
    expect((await tool.query("SELECT to_regclass('task') AS there")).rows).toEqual([{ there: null }]);
    expect(opened).toBe(0);
    await tool.query("COMMIT");
    for (const database of await opening) {
      eventsOf(await commitTo(database));
      await database.close();
    }
    const names = await tool.query("SELECT migration_name, count(*)::int AS count FROM _prisma_migrations GROUP BY 1");
    expect(names.rows.every(({ count }) => count === 1)).toBe(true);
    await tool.end();
  });

  test("a server that renews its lease in time is left alone, and so is what it has just claimed", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const [first, second] = await servers(url, url);
    if (first === undefined || second === undefined) throw new Error("there are two");
    await expire(second, first);
    await second.servers.look();
    await first.heartbeat();
    expect(await second.servers.takeOver(first.servers.owner)).toBe(false);
    eventsOf(await commitTo(first));
    for (const database of [first, second]) await database.close();
  });

  test("a server that has stopped is known to have", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const [first, second] = await servers(url, url);
    if (first === undefined || second === undefined) throw new Error("there are two");
    await first.close();
    await second.servers.look();
    expect(second.servers.stateOf(ownedBy(first))).toEqual({ lives: false, may_have_crashed: false, is_over: true });
    await second.close();
  });

  test.each([
    ["its own data directory before", "/data/a", true],
    ["another data directory", "/data/b", false],
  ])("what a killed server of this machine left is over only for one that has %s", async (_what, data_dir, is_over) => {
    const url = (await server?.createDatabase()) ?? "";
    const tool = await openDatabase({ url });
    const [first] = await servers(url);
    if (first === undefined) throw new Error("there is one");
    const ended = spawnSync("true").pid;
    const sql = "UPDATE server SET holder = ? WHERE server_id = ?";
    const holder = JSON.stringify({ ...thisProcess(), pid: ended, started: "1", data_dir: "/data/a" });
    await runSql(tool, sql, holder, first.servers.owner);
    const self = { name: "n", labels: [], data_dir };
    const second = await openDatabase({ url, exclusive: true, self });
    expect(second.servers.stateOf(ownedBy(first))).toEqual({ lives: false, may_have_crashed: true, is_over });
    for (const database of [first, second, tool]) await database.close();
  });

  test("announcements are heard by every server, also after the sessions were ended and made again", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const [first, second] = await servers(url, url);
    if (first === undefined || second === undefined) throw new Error("there are two");
    const heard: (string | null)[] = [];
    second.hear((text) => heard.push(text));
    const thread_id = aThread();
    const cancels = { thread_id, after: null, events: [{ kind: "cancel_requested", body: { reason: null } }] } as const;
    eventsOf(await createStore({ database: first, clock }).commit(cancels));
    await expect.poll(() => heard).toEqual([`${first.servers.owner} cancel ${thread_id}`]);
    await endSessions(url);
    await expect.poll(() => heard, { timeout: 5_000 }).toContain(null);
    eventsOf(await createStore({ database: first, clock }).commit({ ...cancels, thread_id: aThread() }));
    await expect.poll(() => heard.length).toBe(3);
    for (const database of [first, second]) await database.close();
  });

  test("a version that must be alone is refused while a server runs, and the other way round", async () => {
    const url = (await server?.createDatabase()) ?? "";
    const tool = await openDatabase({ url });
    const [first] = await servers(url);
    const old = "SELECT pg_try_advisory_lock(1869767528) AS held";
    expect(await sqlRows(tool, old)).toEqual([{ held: false }]);
    await first?.close();
    expect(await sqlRows(tool, old)).toEqual([{ held: true }]);
    await expect(openSession(url)).rejects.toMatchObject({
      message: expect.stringContaining("is using this database"),
    });
    await tool.close();
  });
});
