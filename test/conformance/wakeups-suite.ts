// What every implementation of `Wakeups` does, seen from one server.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Wakeups } from "../../src/wakeups/port.ts";
import { aLog, anId, arrives, collecting, expectNot } from "./wakeups-records.ts";

type Given = {
  readonly open: (log: ReturnType<typeof aLog>["log"], labels?: readonly string[]) => Wakeups;
};

export function wakeupsSuite({ open }: Given): void {
  const opened: Wakeups[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((wakeups) => wakeups.stop())));
  const server = (log = aLog().log, labels?: readonly string[]) => {
    const wakeups = open(log, labels);
    opened.push(wakeups);
    return wakeups;
  };
  const working = async () => {
    const wakeups = server();
    const collected = collecting(wakeups);
    await wakeups.start();
    return { wakeups, ...collected };
  };

  describe("a wakeup", () => {
    test("arrives, and at least once when it is sent twice", async () => {
      const { wakeups, arrived } = await working();
      const id = anId();
      await wakeups.send(id);
      await wakeups.send(id);
      await arrives(arrived, id);
      await sleep(100);
      expect(arrived.length).toBeLessThanOrEqual(2);
    });

    test("that is sent again after it has arrived arrives again", async () => {
      const { wakeups, arrived } = await working();
      const id = anId();
      await wakeups.send(id);
      await arrives(arrived, id);
      await wakeups.send(id);
      await expect.poll(() => arrived.filter((one) => one === id).length).toBe(2);
    });

    test("arrives when one begins to work after it was sent, and once when it was sent twice before", async () => {
      const wakeups = server();
      await wakeups.start();
      const [first, second] = [anId(), anId()];
      for (const id of [first, first, second]) await wakeups.send(id);
      const { arrived } = collecting(wakeups);
      await arrives(arrived, second);
      expect(arrived.filter((id) => id === first)).toHaveLength(1);
    });

    test("is tried again when its handling throws, and when it asks for it", async () => {
      const { log, lines } = aLog();
      const wakeups = server(log);
      const tries: string[] = [];
      wakeups.work(async (id) => {
        tries.push(id);
        if (tries.length === 1) throw new Error("not yet");
        return tries.length === 2 ? "again" : "done";
      });
      await wakeups.start();
      const id = anId();
      await wakeups.send(id);
      await expect.poll(() => tries, { timeout: 12_000 }).toEqual([id, id, id]);
      expect(lines).toEqual([expect.stringMatching(/^error what a wakeup began has failed.*not yet/)]);
    });

    test("waits while the work is paused", async () => {
      const { wakeups, arrived, pause, resume } = await working();
      pause();
      await sleep(100);
      const id = anId();
      await wakeups.send(id);
      await expectNot(arrived, id);
      resume();
      // Before it is looked for by itself.
      await arrives(arrived, id, 8_000);
    });

    test("calls nothing after the stop", async () => {
      const { wakeups, arrived } = await working();
      const id = anId();
      await wakeups.stop();
      await wakeups.send(id);
      await expectNot(arrived, id);
      expect(arrived).toEqual([]);
    });

    test("is counted", async () => {
      const wakeups = server();
      await wakeups.start();
      await wakeups.send(anId());
      const counted = { ready: expect.any(Number), later: expect.any(Number), running: expect.any(Number) };
      expect(await wakeups.depth()).toEqual(counted);
      const areCounted = async () => {
        const depth = await wakeups.depth();
        return depth !== null && depth.ready > 0;
      };
      await expect.poll(areCounted, { timeout: 12_000 }).toBe(true);
    });
  });

  describe("a duty", () => {
    test.each([
      // Before it is looked for by itself, which is every five seconds.
      ["when it is woken", 3_600_000, 2, 4_000],
      // More often than it is woken.
      ["in each period", 1_000, 5, 15_000],
    ])("is done at the start, %s, and never twice at a time", async (_when, every_ms, times, timeout) => {
      const wakeups = server();
      let done = 0;
      let running = 0;
      const { wake } = wakeups.every(`a.${++names}`, every_ms, async () => {
        running += 1;
        expect(running).toBe(1);
        await sleep(30);
        running -= 1;
        done += 1;
      });
      await wakeups.start();
      await expect.poll(() => done).toBeGreaterThan(0);
      await Promise.all([wake(), wake(), wake()]);
      await expect.poll(() => done, { timeout }).toBeGreaterThanOrEqual(times);
    });

    test("that is woken while it runs is done once more", async () => {
      const wakeups = server();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      let begun = 0;
      const { wake } = wakeups.every(`a.${++names}`, 3_600_000, async () => {
        begun += 1;
        await gate;
      });
      await wakeups.start();
      await expect.poll(() => begun, { timeout: 10_000 }).toBe(1);
      await wake();
      open();
      await expect.poll(() => begun, { timeout: 5_000 }).toBe(2);
    });

    test("that fails is logged and tried again", async () => {
      const { log, lines } = aLog();
      const wakeups = server(log);
      let tries = 0;
      wakeups.every(`a.${++names}`, 3_600_000, async () => {
        tries += 1;
        if (tries === 1) throw new Error("no room");
      });
      await wakeups.start();
      await expect.poll(() => tries, { timeout: 8_000 }).toBe(2);
      expect(lines).toEqual([expect.stringMatching(/^error a duty has failed.*no room/)]);
    });

    test("hears that its server stops, which waits for its end", async () => {
      const wakeups = server();
      const seen: string[] = [];
      wakeups.every(`a.${++names}`, 3_600_000, async (signal) => {
        seen.push("begun");
        await new Promise((aborted) => signal.addEventListener("abort", aborted));
        await sleep(50);
        seen.push("ended");
      });
      await wakeups.start();
      await expect.poll(() => seen, { timeout: 10_000 }).toEqual(["begun"]);
      const begun = performance.now();
      await wakeups.stop();
      expect(seen).toEqual(["begun", "ended"]);
      expect(performance.now() - begun).toBeLessThan(8_000);
    });
  });
}

let names = 0;
