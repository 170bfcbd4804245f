// Wakeups of several servers on one PostgreSQL.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { postgres } from "../support/postgres.ts";
import { aLog, anId, arrives, ask, wakeupScene } from "./wakeups-records.ts";

const server = postgres();

describe.skipIf(server === null)("several servers", () => {
  const { open, started, url } = wakeupScene(server);

  test("that start at once on a new database share what arrives: each wakeup goes to one of them", async () => {
    const { log, lines } = aLog();
    const [a, b] = await Promise.all([started([], log), started([], log)]);
    const ids = Array.from({ length: 40 }, anId);
    await Promise.all(ids.map((id) => a.wakeups.send(id)));
    await expect.poll(() => a.arrived.length + b.arrived.length, { timeout: 10_000, interval: 5 }).toBe(40);
    expect([...a.arrived, ...b.arrived].sort()).toEqual([...ids].sort());
    expect(lines).toEqual([]);
    expect(Math.min(a.arrived.length, b.arrived.length)).toBeGreaterThan(0);
  });

  test("have three connections each, with the name of what they are for", async () => {
    await started();
    const NAMES =
      "SELECT application_name AS name, count(*)::int FROM pg_stat_activity WHERE application_name LIKE '%wakeups%'";
    const [found] = await ask(url(), `${NAMES} GROUP BY 1`);
    expect(found).toEqual({ name: expect.stringMatching(/^orch wakeups pid \d+ on ./), count: expect.any(Number) });
    expect(found?.["count"]).toBeLessThanOrEqual(3);
  });

  test("hear of what they have the labels for, also when no server has asked for one of them before", async () => {
    const docker = await started(["docker", "host:nas", "shell:agent"]);
    const zfs = await started(["shell:agent", "zfs"]);
    const ids = { docker: anId(), host: anId(), zfs: anId(), both: anId() };
    await zfs.wakeups.send(ids.docker, { labels: ["docker"] });
    await zfs.wakeups.send(ids.host, { labels: ["docker", "host:nas"] });
    await docker.wakeups.send(ids.zfs, { labels: ["shell:agent", "zfs"] });
    await docker.wakeups.send(ids.both, { labels: ["zfs", "gpu"] });
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
    // Before it is looked for by itself.
    await expect.poll(() => done.length, { timeout: 4_000, interval: 5 }).toBe(2);
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
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(["a"]);
    b.every("stay", 3_600_000, onDuty("b"));
    await b.start();
    await a.stop();
    await expect.poll(() => seen, { timeout: 8_000 }).toEqual(["a", "b"]);
  });
});
