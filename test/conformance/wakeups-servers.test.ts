// Wakeups of several servers on one PostgreSQL, and what they do when pg-boss, its schema or PostgreSQL itself is gone: the commits of
// the store go on in any case.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { composeWakeups } from "../../src/app/compose-wakeups.ts";
import type { Wakeups } from "../../src/ports.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { timer } from "../../src/worker/timer.ts";
import { postgres } from "../support/postgres.ts";
import { aLog, anId, arrives, collecting, expectNot, transactionOf } from "./wakeups-records.ts";

const server = postgres();
const opened: Wakeups[] = [];
afterEach(() => Promise.all(opened.splice(0).map((wakeups) => wakeups.stop())));

async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(server === null)("several servers", () => {
  let url = "";
  let database: Database;
  beforeAll(async () => {
    url = (await server?.createDatabase()) ?? "";
    database = await openDatabase({ url });
  });
  afterAll(async () => {
    await database.close();
    await server?.stop();
  });
  const open = (labels: readonly string[] = [], log = aLog().log, database_url = url) => {
    const wakeups = composeWakeups({ database_url }, { provider: "postgresql" }, { labels, timer, log });
    opened.push(wakeups);
    return wakeups;
  };
  const started = async (labels?: readonly string[], log = aLog().log) => {
    const wakeups = open(labels, log);
    const collected = collecting(wakeups);
    await wakeups.start();
    return { wakeups, ...collected };
  };
  /** A wakeup with what a commit writes: the commit holds in any case. */
  const commitWith = async (wakeups: Wakeups, id = anId()) => {
    await transactionOf(database, async (within) => {
      await wakeups.send("take_up", id, { within });
      await within.run({ sql: "CREATE TABLE IF NOT EXISTS committed (id TEXT)", args: [] });
      await within.run({ sql: "INSERT INTO committed VALUES (?)", args: [id] });
    });
    expect(await database.connection.rows({ sql: "SELECT id FROM committed WHERE id = ?", args: [id] })).toEqual([
      { id },
    ]);
    return id;
  };

  test("that start at once on a new database share what arrives: each wakeup goes to one of them", async () => {
    const [a, b] = await Promise.all([started(), started()]);
    const ids = Array.from({ length: 40 }, anId);
    const begun = performance.now();
    await Promise.all(ids.map((id) => a.wakeups.send("take_up", id)));
    await expect.poll(() => a.arrived.length + b.arrived.length, { timeout: 10_000, interval: 5 }).toBe(40);
    process.stdout.write(`40 wakeups in ${Math.round(performance.now() - begun)} ms\n`);
    expect([...a.arrived, ...b.arrived].sort()).toEqual([...ids].sort());
    expect(Math.min(a.arrived.length, b.arrived.length)).toBeGreaterThan(0);
  });

  test("have three connections each, with the name of what they are for", async () => {
    await started();
    const NAMES =
      "SELECT application_name AS name, count(*)::int FROM pg_stat_activity WHERE application_name LIKE '%wakeups%'";
    const [found] = await ask(url, `${NAMES} GROUP BY 1`);
    expect(found).toEqual({ name: expect.stringMatching(/^orch wakeups pid \d+ on ./), count: expect.any(Number) });
    expect(found?.["count"]).toBeLessThanOrEqual(3);
  });

  test("hear of what they have the labels for, also when no server has asked for one of them before", async () => {
    const docker = await started(["docker", "host:nas", "shell:agent"]);
    const zfs = await started(["shell:agent", "zfs"]);
    const ids = { docker: anId(), host: anId(), zfs: anId(), both: anId() };
    await zfs.wakeups.send("take_up", ids.docker, { labels: ["docker"] });
    await zfs.wakeups.send("take_up", ids.host, { labels: ["docker", "host:nas"] });
    await docker.wakeups.send("take_up", ids.zfs, { labels: ["shell:agent", "zfs"] });
    await transactionOf(database, (within) =>
      docker.wakeups.send("take_up", ids.both, { labels: ["zfs", "gpu"], within }),
    );
    await arrives(docker.arrived, ids.docker);
    await arrives(docker.arrived, ids.host);
    await arrives(zfs.arrived, ids.zfs, 10_000);
    const gpu = await started(["gpu", "zfs"]);
    await arrives(gpu.arrived, ids.both);
    const all = [docker.arrived, zfs.arrived, gpu.arrived].map((arrived) => [...arrived].sort());
    expect(all).toEqual([[ids.docker, ids.host].sort(), [ids.zfs], [ids.both]]);
  });

  test("do a duty once in a period, and woken on any of them one does it", async () => {
    const servers = [open(), open()];
    const done: number[] = [];
    const duties = servers.map((wakeups, at) => wakeups.every("fold", 3_600_000, async () => void done.push(at)));
    await Promise.all(servers.map((wakeups) => wakeups.start()));
    await expect.poll(() => done.length, { timeout: 5_000 }).toBe(1);
    await sleep(500);
    expect(done).toHaveLength(1);
    await duties[1]?.wake();
    await expect.poll(() => done.length, { timeout: 2_000, interval: 5 }).toBe(2);
  });

  test("leave a duty to another one when they stop", async () => {
    const seen: string[] = [];
    const onDuty = (name: string) => async (signal: AbortSignal) => {
      seen.push(name);
      await new Promise((over) => signal.addEventListener("abort", over));
    };
    const [a, b] = [open(), open()];
    a.every("stay", 3_600_000, onDuty("a"));
    await a.start();
    await expect.poll(() => seen, { timeout: 3_000 }).toEqual(["a"]);
    b.every("stay", 3_600_000, onDuty("b"));
    await b.start();
    await a.stop();
    await expect.poll(() => seen, { timeout: 8_000 }).toEqual(["a", "b"]);
  });

  test("go on when PostgreSQL was restarted, and log it once", async () => {
    const { log, lines } = aLog();
    const { wakeups, arrived } = await started([], log);
    await server?.restart(3_000);
    await expect
      .poll(() => database.connection.rows({ sql: "SELECT 1 AS one", args: [] }), { timeout: 5_000 })
      .toEqual([{ one: 1 }]);
    await arrives(arrived, await commitWith(wakeups), 6_000);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^warn wakeups do not work/),
      expect.stringMatching(/^info wakeups work again/),
    ]);
  });

  test("make the schema anew when it is gone; commits go on meanwhile", async () => {
    const { log, lines } = aLog();
    const { wakeups, arrived } = await started([], log);
    await ask(url, "DROP SCHEMA orch_queue CASCADE");
    await commitWith(wakeups);
    await wakeups.send("take_up", anId());
    const isThere = async () =>
      (await ask(url, "SELECT to_regclass('orch_queue.job') IS NOT NULL AS there"))[0]?.["there"];
    await expect.poll(isThere, { timeout: 10_000 }).toBe(true);
    await expect
      .poll(async () => arrived.includes(await commitWith(wakeups)), { timeout: 10_000, interval: 300 })
      .toBe(true);
    expect(lines[0]).toMatch(/^warn wakeups do not work/);
  });

  test("make a queue anew when it is gone; the commit that would have been refused at its end holds", async () => {
    const { wakeups, arrived } = await started();
    await ask(url, "DELETE FROM orch_queue.job; DELETE FROM orch_queue.queue WHERE name = 'take_up'");
    await commitWith(wakeups);
    await expect
      .poll(async () => arrived.includes(await commitWith(wakeups)), { timeout: 12_000, interval: 300 })
      .toBe(true);
  });

  test("do not wait long for a wakeup that another transaction writes", async () => {
    const wakeups = open();
    await wakeups.start();
    const id = anId();
    await transactionOf(database, async (within) => {
      await wakeups.send("take_up", id, { within });
      const begun = performance.now();
      await commitWith(wakeups, id);
      expect(performance.now() - begun).toBeLessThan(1_500);
    });
  });

  test("start, commit and stop where pg-boss may not make its schema, and work once it may", async () => {
    await ask(url, "CREATE ROLE poor LOGIN");
    const poor = new URL((await server?.createDatabase()) ?? "");
    const whole = poor.href;
    poor.username = "poor";
    const { log, lines } = aLog();
    const wakeups = open([], log, poor.href);
    const { arrived } = collecting(wakeups);
    await wakeups.start();
    const id = anId();
    await wakeups.send("take_up", id);
    await commitWith(wakeups);
    expect(await wakeups.depth()).toBeNull();
    await expectNot(arrived, id, 100);
    expect(lines).toEqual([expect.stringMatching(/^warn wakeups do not work.*permission denied/)]);
    await ask(whole, `GRANT CREATE ON DATABASE ${poor.pathname.slice(1)} TO poor`);
    await expect
      .poll(
        async () => {
          await wakeups.send("take_up", id);
          return arrived;
        },
        { timeout: 12_000, interval: 200 },
      )
      .toContain(id);
  });

  test("start and stop within seconds while nothing answers", async () => {
    const { log, lines } = aLog();
    const wakeups = open([], log, "postgresql://orch@127.0.0.1:9/none");
    const begun = performance.now();
    await wakeups.start();
    await wakeups.stop();
    expect(performance.now() - begun).toBeLessThan(7_500);
    expect(lines).toHaveLength(1);
  });
});
