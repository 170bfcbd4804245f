// Which servers a Store says are alive, by their rows: on SQLite the one of the file, on PostgreSQL those whose lease lasts.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { sharedBuckets } from "../../src/store/token-buckets.ts";
import { AT } from "../support/builders.ts";
import { runSql, temporaryFolder } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { aTask, started } from "./store-records.ts";

const folder = temporaryFolder();
const server = postgres();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

afterEach(() => vi.useRealTimers());

const KINDS = [
  ["SQLite", async () => `file:${folder.path}/servers.db`],
  ...(server === null ? [] : [["PostgreSQL", () => server.createDatabase()] as const]),
] as const;

const OWN = { name: "nas", labels: ["docker", "host:nas"] };

const listed = (database: Database) => createStore({ database, clock: () => new Date() }).listServers();

describe.each(KINDS)("the servers on %s", (_kind, urlOf) => {
  test("are listed with their labels while they live", async () => {
    const url = await urlOf();
    const database = await openDatabase({ url, exclusive: true, self: OWN });
    const [own] = await listed(database);
    expect(own).toEqual({ server_id: own?.server_id, ...OWN, draining: false, journal_level: null });
    await database.heartbeat();
    const others = [
      ["alive", "NULL", "'2999-01-01T00:00:00.000Z'", "NULL"],
      ["drains", "NULL", "'2999-01-01T00:00:00.000Z'", "'2026-03-06T09:00:00.000Z'"],
      ["lost", "NULL", "'2026-03-06T09:00:00.000Z'", "NULL"],
      ["stopped", "'2026-03-06T09:00:00.000Z'", "NULL", "NULL"],
    ];
    for (const [name, stopped_at, lease, drain] of others) {
      const values = `'${name}', 1, 1, '{}', '${name}', '["zfs"]', '', '', ${stopped_at}, ${lease}, ${drain}`;
      const columns =
        "server_id, epoch, generation, holder, name, labels, started_at, seen_at, stopped_at, lease_expires_at";
      const sql = `INSERT INTO server (${columns}, drain_asked_at) VALUES (${values})`;
      await runSql(database, sql);
    }
    const known = await listed(database);
    expect(known.map(({ name, labels, draining }) => [name, labels, draining])).toEqual([
      ["alive", ["zfs"], false],
      ["drains", ["zfs"], true],
      ["nas", OWN.labels, false],
    ]);
    await database.close();
  });

  test("are without the one that has stopped, and without one whose labels cannot be read", async () => {
    const url = await urlOf();
    const first = await openDatabase({ url, exclusive: true, self: OWN });
    await first.close();
    const tool = await openDatabase({ url });
    expect((await listed(tool)).map(({ name }) => name)).not.toContain("nas");
    await tool.close();
    const second = await openDatabase({ url, exclusive: true });
    const { server_id } = (await listed(second)).find(({ labels }) => labels.length === 0) ?? {};
    expect(server_id).toBeDefined();
    await runSql(second, "UPDATE server SET labels = '{' WHERE server_id = ?", server_id ?? "");
    expect((await listed(second)).map((one) => one.server_id)).not.toContain(server_id);
    await second.close();
  });

  test("write events that are not earlier than those before them, though the clock of one is ten minutes slow", async () => {
    const database = await openDatabase({ url: await urlOf(), exclusive: true, self: OWN });
    const at = (minutes: number) => createStore({ database, clock: () => new Date(Date.parse(AT) + minutes * 60_000) });
    const events = [started()];
    const [quick, slow] = [at(0), at(-10)];
    await quick.commit({ thread_id: "t", after: null, events });
    const read = await slow.readJournal("t");
    await slow.commit({ thread_id: "t", after: read.at(-1) ?? null, events });
    await slow.commit({ thread_id: "t", after: "last", events });
    await at(1).commit({ thread_id: "t", after: "last", events });
    expect((await quick.readJournal("t")).map((event) => event.at)).toEqual([AT, AT, AT, "2026-03-06T09:01:00.000Z"]);
    await database.close();
  });

  test("are described with their state, their tasks and the age of their lease, and one is asked to drain", async () => {
    const database = await openDatabase({ url: await urlOf(), exclusive: true, self: { ...OWN, concurrency: 4 } });
    const store = createStore({ database, clock: () => new Date() });
    const { owner } = database.servers;
    const task = aTask({ status: "running", owner });
    await store.commit({ thread_id: "described", after: null, events: [], changes: [{ on: "task_created", task }] });
    const described = async () => (await store.describeServers()).servers.find((one) => one.this);
    const own = await described();
    expect(own).toMatchObject({ ...OWN, state: "alive", running: 1, concurrency: 4, this: true });
    expect(own?.process).toMatch(new RegExp(`/${process.pid}$`));
    expect(own?.lease_age_seconds).toBeLessThan(5);
    expect((await store.describeServers()).waiting).toEqual({ tasks: 0, oldest_seconds: null });
    for (const [task_id, status] of [
      ["w-1", "accepted"],
      ["w-2", "running"],
      ["w-3", "need_input"],
    ] as const) {
      const waits = aTask({ task_id, status, owner: null });
      const created = { on: "task_created", task: waits } as const;
      await store.commit({ thread_id: task_id, after: null, events: [], changes: [created] });
    }
    const { waiting } = await store.describeServers();
    expect(waiting).toEqual({ tasks: 2, oldest_seconds: expect.any(Number) });
    expect(waiting.oldest_seconds).toBeGreaterThan(86_400);
    await store.askToDrain(own?.server_id ?? "");
    await store.askToDrain(own?.server_id ?? "");
    expect(await described()).toMatchObject({ state: "draining" });
    // The sum of its row is that which its commits name: it goes on writing.
    expect(await store.commit({ thread_id: "later", after: null, events: [started()] })).toMatchObject({ ok: true });
    await database.close();
  });
});

test.skipIf(server === null)(
  "a server writes how wrong its clock is, and the digest of its windows, for all to see",
  async () => {
    const url = (await server?.createDatabase()) ?? "";
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
    const self = { ...OWN, windows_digest: "sha256:00" };
    const database = await openDatabase({ url, exclusive: true, self });
    const described = async () => {
      const { servers } = await createStore({ database, clock: () => new Date() }).describeServers();
      return servers.map(({ clock_skew_seconds, windows_digest }) => [clock_skew_seconds, windows_digest]);
    };
    // The clock is set, and does not go on while the database is asked.
    const about = (seconds: number) => expect.closeTo(seconds, -2);
    expect(await described()).toEqual([[about(600), "sha256:00"]]);
    expect(database.servers.aheadMs() / 1_000, "its approvals expire by that").toEqual(about(600));
    vi.useRealTimers();
    await database.heartbeat();
    await database.heartbeat();
    expect(await described()).toEqual([[about(0), "sha256:00"]]);
    await database.close();
  },
);

test.skipIf(server === null)("a token has the same turns on every server, and gets them back with time", async () => {
  const url = (await server?.createDatabase()) ?? "";
  const [one, other] = [
    await openDatabase({ url, exclusive: true, self: OWN }),
    await openDatabase({ url, exclusive: true, self: { ...OWN, name: "pi" } }),
  ];
  const rate = { amount: 4, per_ms: 2_000 };
  const [here, there] = [sharedBuckets(one, rate), sharedBuckets(other, rate)];
  const turns = await Promise.all([1, 2, 3].flatMap(() => [here?.("a"), there?.("a")]));
  expect(turns.toSorted()).toEqual([1, 1, null, null, null, null]);
  expect(await there?.("b"), "another token has its own").toBeNull();
  await sleep(1_100);
  expect([await here?.("a"), await there?.("a"), await here?.("a")]).toEqual([null, null, 1]);
  expect(await sharedBuckets(one, { amount: 0, per_ms: 2_000 })?.("a")).toBeNull();
  for (const database of [one, other]) await database.close();
});
