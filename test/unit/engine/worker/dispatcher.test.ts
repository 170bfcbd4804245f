// When a task is claimed, and what follows from how its segment ends.
import { describe, expect, test } from "vitest";
import type { Store } from "../../../../src/ports.ts";
import { AT } from "../../../support/builders.ts";
import { settled } from "../../../support/manual-timer.ts";
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

describe("a task that this server holds", () => {
  test("is dispatched once, however often it is asked for", async () => {
    const { act, letGo } = held();
    const it = server(act, { concurrency: 1 });
    await it.begin("a");
    await it.begin("b");
    for (const id of ["a", "b"]) {
      const task = await it.store.findTask(id);
      if (task !== null) await it.dispatcher.reclaim(task);
    }
    await it.dispatcher.reconcile();
    await letGo("a");
    await letGo("b");
    await settled();
    expect(it.invoked).toEqual(["a", "b"]);
  });

  test("resumes after the segment that asked, when the answer came before that was over", async () => {
    const { act, letGo } = held();
    const it = server(act);
    const task = await it.submit("a", SHARED);
    it.dispatcher.dispatch(task, { kind: "recover" });
    await settled();
    it.dispatcher.dispatch(task, { kind: "resume", interrupt_id: "i-1" });
    await settled();
    expect(it.invoked).toEqual(["a"]);
    await letGo("a", pausedAs("a"));
    // The row waits, so there is nothing to claim: the answer was not committed.
    expect([it.invoked, it.done.filter((line) => line === "paused")]).toEqual([["a"], ["paused", "paused"]]);
  });

  test("is forgotten with its end, and its place in the queue is free", async () => {
    const it = server(held().act);
    await it.begin("a", SHARED);
    await it.begin("b", SHARED);
    const task = await it.store.findTask("b");
    if (task !== null) await it.dispatcher.forget(task);
    await it.begin("c", SHARED);
    expect(it.locks.holderOf("service=web")).toBe("a");
  });
});

describe("reconciling", () => {
  test("claims a task of which only the row is known, and leaves one that waits", async () => {
    const it = server(() => ({}));
    await it.submit("lost");
    const waits = await it.submit("waits");
    await it.write(
      "waits",
      [],
      [{ on: "task", task_id: "waits", expect: { status: ["accepted"] }, set: { status: "need_input" } }],
    );
    await it.dispatcher.reclaim({ ...waits, status: "need_input" });
    await it.dispatcher.reconcile();
    await settled();
    expect(it.invoked).toEqual(["lost"]);
  });

  test("reads a page at each look, and begins again after the last one", async () => {
    const asked: unknown[] = [];
    const columns = { intent: "deploy", target_signature: "", status: "accepted", owner: null } as const;
    const page = Array.from({ length: 1_000 }, (_, nth) => ({
      ...columns,
      task_id: `t-${nth}`,
      lease_expires_at: null,
      created_at: AT,
      backend: "local" as const,
      runs_on: null,
      needs_level: null,
    }));
    const listTaskColumns: Store["listTaskColumns"] = async (query) => {
      asked.push([query.limit, query.after]);
      return query.after === undefined ? page : [];
    };
    const it = server(() => ({}), { store: () => ({ listTaskColumns }) });
    for (let look = 0; look < 3; look += 1) await it.dispatcher.reconcile();
    expect(asked).toEqual([
      [1_000, undefined],
      [1_000, "t-999"],
      [1_000, undefined],
    ]);
  });
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
