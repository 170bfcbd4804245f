// When a task is claimed, and what follows from how its segment ends.
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../src/domain/errors.ts";
import { settled } from "../../support/manual-timer.ts";
import { held, pausedAs, SHARED, server, started } from "./a-server.ts";

describe("a target", () => {
  test("is worked on by one task at a time, and freed by its end", async () => {
    const { act, letGo } = held();
    const it = server(act);
    await it.begin("a", SHARED);
    await it.begin("b", SHARED);
    expect([it.invoked, it.locks.holderOf("service=web")]).toEqual([["a"], "a"]);
    await letGo("a");
    expect([it.invoked, it.locks.holderOf("service=web")]).toEqual([["a", "b"], "b"]);
    await letGo("b");
    expect(it.locks.holderOf("service=web")).toBeNull();
    expect(it.done.filter((line) => line.startsWith("finished"))).toEqual(["finished a", "finished b"]);
  });

  test("is freed by a task that pauses before its first step, and kept by one that pauses after it", async () => {
    const { act, letGo } = held();
    const it = server(act);
    await it.begin("a", SHARED);
    await letGo("a", pausedAs("a"));
    expect(it.locks.holderOf("service=web")).toBeNull();
    expect(it.done).toContain("paused");
    it.dispatcher.dispatch(await it.submit("b", SHARED, started), { kind: "recover" });
    await settled();
    await letGo("b", pausedAs("b"));
    expect(it.locks.holderOf("service=web")).toBe("b");
    expect(it.done.filter((line) => line.startsWith("finished"))).toEqual([]);
  });

  test.each([
    ["is shared by diagnostic tasks", { ...SHARED, intent: "triage" }],
    ["that is empty is shared by every task", { target: {} }],
  ])("%s", async (_what, over) => {
    const it = server(held().act);
    await it.begin("a", over);
    await it.begin("b", over);
    expect(it.invoked).toEqual(["a", "b"]);
  });

  test("stays with its holder when a diagnostic task ends", async () => {
    const { act, letGo } = held();
    const it = server(act);
    await it.locks.acquire("service=web", "look");
    await it.begin("look", { ...SHARED, intent: "triage" });
    await letGo("look");
    expect(it.locks.holderOf("service=web")).toBe("look");
  });

  test("is freed for a task that ended while it was paused, and its checkpoints are deleted", async () => {
    const it = server(held().act);
    const task = await it.submit("a", SHARED);
    await it.locks.acquire("service=web", "a");
    await it.dispatcher.forget(task);
    expect([it.locks.holderOf("service=web"), it.done]).toEqual([null, ["delete a"]]);
  });
});

test("no more tasks run at once than the limit allows", async () => {
  const { act, letGo } = held();
  const it = server(act, { concurrency: 2 });
  for (const id of ["a", "b", "c"]) await it.begin(id);
  expect(it.invoked).toEqual(["a", "b"]);
  await letGo("a");
  expect(it.invoked).toEqual(["a", "b", "c"]);
});

describe("a task that was ended elsewhere", () => {
  test("frees its target and is neither finished nor paused", async () => {
    const { act, letGo } = held();
    const it = server(act);
    await it.begin("a", SHARED);
    await it.begin("b", SHARED);
    const set = { status: "cancelled" } as const;
    await it.write("b", [], [{ on: "task", task_id: "b", expect: { status: ["accepted"] }, set }]);
    await letGo("a");
    expect([it.invoked, it.locks.holderOf("service=web")]).toEqual([["a"], null]);
    expect(it.done).toEqual(["delete a", "delete a", "finished a"]);
  });
});

describe("an error of orch itself", () => {
  const fails = (error: Error = new Error("the disk is full")) =>
    server(() => {
      throw error;
    });

  test("recovers the task after 1, 5 and 30 seconds, and then fails it and frees its target", async () => {
    const it = fails();
    await it.begin("a", SHARED);
    for (const ms of [1_000, 5_000, 30_000]) {
      expect(it.pending()).toEqual([ms]);
      expect(it.locks.holderOf("service=web")).toBe("a");
      await it.fire();
    }
    expect([it.pending(), it.invoked.length, it.logged.length]).toEqual([[], 4, 4]);
    expect(it.logged[0]).toMatchObject({
      ...{ task_id: "a", err: { message: "the disk is full" } },
      message: "a task was cut off by an error; it is recovered from its journal",
    });
    const message = "orch could not carry the task on: an unexpected error, see the log.";
    expect(await it.store.findTask("a")).toMatchObject({ status: "failed", outcome: { message } });
    expect(it.locks.holderOf("service=web")).toBeNull();
    const claims = (await it.store.readJournal("a")).filter(({ kind }) => kind === "taken_up");
    expect(claims).toMatchObject([1, 2, 3, 4].map(() => ({ body: { recovery: true } })));
  });

  test("is named in the outcome where its message is made for the supervisor", async () => {
    const it = fails(new OrchError("internal_error", "the journal is damaged"));
    await it.begin("a");
    for (let nth = 0; nth < 3; nth += 1) await it.fire();
    const message = "orch could not carry the task on: the journal is damaged.";
    expect(await it.store.findTask("a")).toMatchObject({ outcome: { message } });
  });

  test("is tried again every half minute while the end cannot be written either", async () => {
    let isFull = true;
    const it = server(
      () => {
        throw new Error("x");
      },
      { store: ({ commit }) => ({ commit: (given) => (isFull ? Promise.reject(new Error("y")) : commit(given)) }) },
    );
    await it.begin("a");
    for (let nth = 0; nth < 3; nth += 1) await it.fire();
    for (let nth = 0; nth < 2; nth += 1) {
      expect([it.pending(), it.locks.holderOf("service=a")]).toEqual([[30_000], "a"]);
      await it.fire();
    }
    isFull = false;
    await it.fire();
    expect([it.pending(), it.locks.holderOf("service=a")]).toEqual([[], null]);
    expect(await it.store.findTask("a")).toMatchObject({ status: "failed" });
  });

  test("that is a fence is not retried: another server has the task", async () => {
    const it = fails(new OrchError("fenced", "thread a has been claimed by another server"));
    await it.begin("a", SHARED);
    expect([it.pending(), it.logged, it.invoked]).toEqual([[], [], ["a"]]);
    expect(await it.store.findTask("a")).toMatchObject({ status: "running" });
  });
});
