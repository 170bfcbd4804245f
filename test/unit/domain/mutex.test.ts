import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createMutex } from "../../../src/domain/mutex.ts";

describe("A mutex", () => {
  test("admits holders one at a time, in the order of asking", async () => {
    const mutex = createMutex();
    const seen: string[] = [];
    const hold = async (name: string) => {
      await mutex.acquire();
      seen.push(`${name} in`);
      await Promise.resolve();
      seen.push(`${name} out`);
      mutex.release();
    };
    await Promise.all(["a", "b", "c"].map(hold));
    expect(seen).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  test("admits the first in the queue before a caller that comes after the release", async () => {
    const mutex = createMutex();
    const seen: string[] = [];
    await mutex.acquire();
    const waiting = mutex.acquire().then(() => seen.push("waited"));
    mutex.release();
    const late = mutex.acquire().then(() => seen.push("late"));
    await waiting;
    expect(seen).toEqual(["waited"]);
    mutex.release();
    await late;
    expect(seen).toEqual(["waited", "late"]);
  });

  test("runs one piece of work at a time and passes on what it returns", async () => {
    const mutex = createMutex();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await nextRound();
      seen.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([mutex.run(work("a")), mutex.run(work("b"))])).toEqual(["a", "b"]);
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  test("is released when the work fails", async () => {
    const mutex = createMutex();
    const failing = mutex.run(() => Promise.reject(new Error("no")));
    const next = mutex.run(() => "runs");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("runs");
  });

  test("does not run work whose signal has aborted while it was in the queue, and runs what comes after it", async () => {
    const mutex = createMutex();
    const stop = new AbortController();
    let ran = false;
    const first = mutex.run(nextRound);
    const stopped = mutex.run(() => {
      ran = true;
    }, stop.signal);
    const last = mutex.run(() => "ran");
    stop.abort(new Error("stopped"));
    await first;
    await expect(stopped).rejects.toThrow("stopped");
    expect(await last).toBe("ran");
    expect(ran).toBe(false);
  });
});
