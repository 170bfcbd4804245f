// Tasks whose target a task of another server has are tried again when that one has reported, and not before (D-333).
import { describe, expect, test } from "vitest";
import { createSetAside, createTargetHolds } from "../../../../src/engine/worker/task-queue.ts";
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
