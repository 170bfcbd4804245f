// What servers do when pg-boss, its schema or PostgreSQL itself is gone: no fault reaches the caller.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { postgres } from "../support/postgres.ts";
import { aLog, anId, ask, collecting, expectNot, sent, wakeupScene } from "./wakeups-records.ts";

const server = postgres();

describe.skipIf(server === null)("several servers", () => {
  const { open, started, url } = wakeupScene(server);

  test("go on when PostgreSQL was restarted, and log it once", async () => {
    const { log, lines } = aLog();
    const { wakeups, arrived } = await started([], log);
    await server?.restart(3_000);
    const arrivesAgain = async () => {
      await sent(wakeups);
      return arrived.length;
    };
    await expect.poll(arrivesAgain, { timeout: 11_000, interval: 300 }).toBeGreaterThan(0);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^warn wakeups do not work/),
      expect.stringMatching(/^info wakeups work again/),
    ]);
  });

  test.each([
    ["the schema", "DROP SCHEMA orch_queue CASCADE"],
    ["a queue", "DELETE FROM orch_queue.job; DELETE FROM orch_queue.queue WHERE name = 'take_up'"],
  ])("make %s anew when it is gone; no send fails meanwhile", async (_what, remove) => {
    const { log, lines } = aLog();
    const { wakeups, arrived } = await started([], log);
    await ask(url(), remove);
    const arrivesAgain = async () => {
      await sent(wakeups);
      return arrived.length;
    };
    await expect.poll(arrivesAgain, { timeout: 10_000, interval: 300 }).toBeGreaterThan(0);
    await expect.poll(() => lines.length, { timeout: 15_000 }).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/^warn/), "info wakeups work again "]);
  });

  test("start, send and stop where pg-boss may not make its schema, and work once it may", async () => {
    await ask(url(), "CREATE ROLE poor LOGIN");
    const poor = new URL((await server?.createDatabase()) ?? "");
    const whole = poor.href;
    poor.username = "poor";
    const { log, lines } = aLog();
    const wakeups = open([], log, poor.href);
    const { arrived } = collecting(wakeups);
    await wakeups.start();
    const id = anId();
    await wakeups.send(id);
    expect(await wakeups.depth()).toBeNull();
    await expectNot(arrived, id, 100);
    expect(lines).toEqual([expect.stringMatching(/^warn wakeups do not work.*permission denied/)]);
    await ask(whole, `GRANT CREATE ON DATABASE ${poor.pathname.slice(1)} TO poor`);
    await expect
      .poll(
        async () => {
          await wakeups.send(id);
          return arrived;
        },
        { timeout: 12_000, interval: 200 },
      )
      .toContain(id);
  });

  test("start and stop within seconds while nothing answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { log, lines } = aLog();
    const wakeups = open([], log, `postgresql://orch@127.0.0.1:${(silent.address() as AddressInfo).port}/none`);
    const begun = performance.now();
    await wakeups.start();
    expect(performance.now() - begun).toBeLessThan(3_500);
    await wakeups.stop();
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(lines).toEqual([]);
    silent.close();
  });

  test("log once that nothing is there", async () => {
    const { log, lines } = aLog();
    const wakeups = open([], log, "postgresql://orch@127.0.0.1:9/none");
    await wakeups.start();
    await sleep(5_000);
    expect(lines).toEqual([expect.stringMatching(/^warn wakeups do not work.*ECONNREFUSED/)]);
  });
});
