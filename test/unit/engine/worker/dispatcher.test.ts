// What a dispatcher holds and runs once, and what a stop or an error of orch leaves of it.
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import { createProbe } from "../../../../src/engine/worker/dispatcher.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT } from "../../../support/builders.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";
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

test("a lease is renewed for every task that this server runs", async () => {
  const it = server(held().act);
  await it.begin("a");
  await it.write(
    "a",
    [],
    [
      {
        on: "task",
        task_id: "a",
        expect: { status: ["running"] },
        set: { lease_expires_at: "2026-01-01T00:00:00.000Z" },
      },
    ],
  );
  await it.dispatcher.renewLeases();
  expect(await it.store.findTask("a")).toMatchObject({ owner: "me", lease_expires_at: "2026-03-06T09:00:30.000Z" });
});

describe("a stop", () => {
  test("kills what is still running when the time is over, and waits for it", async () => {
    const { act, letGo } = held();
    const it = server(act);
    await it.begin("a");
    let isDown = false;
    const down = it.dispatcher.drain(5_000).then(() => {
      isDown = true;
    });
    await settled();
    const { cancel } = await it.threads.threadOf("a");
    expect(cancel.aborted).toBe(false);
    await it.fire();
    expect([cancel.aborted, isDown]).toEqual([true, false]);
    await letGo("a");
    await down;
    expect(isDown).toBe(true);
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
      task_id: "a",
      err: { message: "the disk is full" },
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

  test("that follows every claim, although the database works, gives the task up after half a minute", async () => {
    const it = fails(new OrchError("database_unusable", "the row is refused"));
    await it.begin("a", SHARED);
    for (let nth = 0; nth < 100 && it.pending().length > 0; nth += 1) await it.fire();
    expect(it.invoked).toHaveLength(31);
    expect(await it.store.findTask("a")).toMatchObject({ status: "failed" });
  });
});

test("everybody who waits is woken by the first probe that succeeds, and there is one probe a second", async () => {
  const manual = manualTimer();
  let isAway = true;
  let pings = 0;
  const usable = createProbe({
    ping: async () => {
      pings += 1;
      if (isAway) throw new Error("away");
    },
    timer: manual.timer,
  });
  const woken: string[] = [];
  for (const name of ["a", "b"]) void usable().then(() => woken.push(name));
  await manual.fire();
  expect([pings, woken, manual.pending()]).toEqual([1, [], [1_000]]);
  isAway = false;
  await manual.fire();
  expect([pings, woken, manual.pending()]).toEqual([2, ["a", "b"], []]);
  void usable().then(() => woken.push("c"));
  expect(manual.pending()).toEqual([1_000]);
  await manual.fire();
  expect(woken).toEqual(["a", "b", "c"]);
});
