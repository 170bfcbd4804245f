// One task at a time per target: those that wait here, and those that wait for a task of another server (D-333).
import { describe, expect, test } from "vitest";
import { createSetAside, createTargetHolds, createTargetLocks } from "../../../../src/engine/worker/task-queue.ts";
import { settled } from "../../../support/manual-timer.ts";

const waiting = (task_id: string, target_signature = "service=web") => ({
  task_id,
  intent: "restart",
  target_signature,
});

function scene(...holders: string[]) {
  let rows = holders.map((task_id) => ({ target_signature: "service=web", task_id }));
  const looks: (() => void)[] = [];
  const retried: string[] = [];
  const released: string[] = [];
  const store = {
    commit: async () => ({ ok: true as const, events: [] }),
    listHolds: () => new Promise<typeof rows>((resolve) => looks.push(() => resolve(rows.slice()))),
  };
  const locks = { holderOf: () => null };
  const holds = createTargetHolds({ store, servers: { are_many: true }, locks });
  const aside = createSetAside({
    holds,
    retry: async ({ task_id }) => void retried.push(task_id),
    release: ({ task_id }) => void released.push(task_id),
  });
  return {
    holds,
    aside,
    retried,
    released,
    hold: (...tasks: string[]) => {
      rows = tasks.map((task_id) => ({ target_signature: "service=web", task_id }));
    },
    /** The database answers what was asked of it. */
    answer: async () => {
      for (const each of looks.splice(0)) each();
      await settled();
    },
    isAsked: () => looks.length > 0,
  };
}

describe("a task that is set aside", () => {
  test("is tried again once the task that has its target has reported, and only then", async () => {
    const { aside, retried, answer, hold } = scene("holder");
    aside.add(waiting("waits"));
    await answer();
    aside.free("other");
    expect(retried).toEqual([]);
    hold();
    aside.free("holder");
    expect(retried).toEqual(["waits"]);
    aside.free("holder");
    expect(retried).toEqual(["waits"]);
  });

  test("is tried again when its target is freed while the rows of targets are read", async () => {
    const { aside, retried, answer } = scene("holder");
    aside.add(waiting("waits"));
    aside.free("holder");
    await answer();
    expect(retried).toEqual(["waits"]);
  });

  test("asks the database nothing where it is known which task has its target", async () => {
    const { aside, holds, answer, isAsked } = scene("holder");
    aside.add(waiting("first"));
    await answer();
    aside.add(waiting("second"));
    expect(isAsked()).toBe(false);
    expect(holds.keepOut(waiting("second"))).toBe(true);
  });

  test("gives up its place here when it has ended", async () => {
    const { aside, retried, released, answer } = scene("holder");
    aside.add(waiting("waits"));
    await answer();
    aside.free("waits");
    aside.free("holder");
    expect([retried, released]).toEqual([[], ["waits"]]);
  });
});

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
