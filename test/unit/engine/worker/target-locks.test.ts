// One task at a time per target, in order of arrival.
import { describe, expect, test } from "vitest";
import { createTargetLocks } from "../../../../src/engine/worker/task-queue.ts";

const settledOf = async (...waits: Promise<void>[]): Promise<boolean[]> => {
  const done = waits.map(() => false);
  waits.forEach((wait, n) => {
    void wait.then(() => {
      done[n] = true;
    });
  });
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe("the queue of a target", () => {
  test("admits one task at a time, in order of arrival", async () => {
    const locks = createTargetLocks();
    const waits = ["a", "b", "c"].map((task) => locks.acquire("service=web", task));
    expect(await settledOf(...waits)).toEqual([true, false, false]);
    locks.release("service=web", "a");
    expect(await settledOf(...waits)).toEqual([true, true, false]);
    expect(locks.holderOf("service=web")).toBe("b");
  });

  test("keeps the place of a task that asks twice, and admits it then", async () => {
    const locks = createTargetLocks();
    await locks.acquire("x", "a");
    const asked = [locks.acquire("x", "b"), locks.acquire("x", "c"), locks.acquire("x", "b")];
    locks.release("x", "a");
    expect(await settledOf(...asked)).toEqual([true, false, true]);
    locks.release("x", "b");
    await asked[1];
    locks.release("x", "c");
    expect(locks.holderOf("x")).toBeNull();
  });

  test("has the same task also at another target", async () => {
    const locks = createTargetLocks();
    await locks.acquire("x", "a");
    await locks.acquire("y", "b");
    expect(await settledOf(locks.acquire("x", "b"))).toEqual([false]);
    locks.release("y", "b");
    expect([locks.holderOf("x"), locks.holderOf("y")]).toEqual(["a", null]);
    locks.release("x", "a");
    expect(locks.holderOf("x")).toBe("b");
  });
});
