// When a task is claimed, and what follows from how its segment ends.
import { describe, expect, test } from "vitest";
import type { Store } from "../../../../src/ports.ts";
import { AT } from "../../../support/builders.ts";
import { settled } from "../../../support/manual-timer.ts";
import { held, SHARED, server } from "./a-server.ts";

describe("a target", () => {
  test.each([
    ["is shared by diagnostic tasks", { ...SHARED, intent: "triage" }],
    ["that is empty is shared by every task", { target: {} }],
  ])("%s", async (_what, over) => {
    const it = server(held().act);
    await it.begin("a", over);
    await it.begin("b", over);
    expect(it.invoked).toEqual(["a", "b"]);
  });

  test("is freed for a task that ended while it was paused, and its checkpoints are deleted", async () => {
    const it = server(held().act);
    const task = await it.submit("a", SHARED);
    await it.locks.acquire("service=web", "a");
    await it.dispatcher.forget(task);
    expect([it.locks.holderOf("service=web"), it.done]).toEqual([null, ["delete a"]]);
  });
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
});

describe("reconciling", () => {
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
