// What a dispatcher recovers when it starts, and what a stop leaves to the next start.
import { describe, expect, test } from "vitest";
import { settled } from "../../../support/manual-timer.ts";
import { held, SHARED, server, started } from "./a-server.ts";

describe("a start", () => {
  test("sweeps checkpoints, holds the targets of tasks paused in the middle, and recovers the rest in order", async () => {
    const { act, letGo } = held();
    const it = server(act);
    const paused = await it.submit("paused", SHARED, started);
    const waiting = { kind: "resolution", interrupt_id: "i-1", index: 0, attempt: 1 } as const;
    const set = { status: "need_input", waiting } as const;
    await it.write("paused", [], [{ on: "task", task_id: "paused", expect: { status: ["accepted"] }, set }]);
    await it.submit("next", SHARED);
    await it.submit("other");
    await it.dispatcher.recover();
    await settled();
    expect([it.done[0], it.invoked, it.locks.holderOf("service=web")]).toEqual(["sweep", ["other"], paused.task_id]);
    expect(it.done).toContain("delete other");
    await it.dispatcher.forget(paused);
    await settled();
    expect(it.invoked).toEqual(["other", "next"]);
    await letGo("other");
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
  test("lets the running step finish, and claims no task that is queued", async () => {
    const { act, letGo } = held();
    const it = server(act, { concurrency: 1 });
    await it.begin("a");
    await it.begin("queued");
    let isDown = false;
    const down = it.dispatcher.drain(5_000).then(() => {
      isDown = true;
    });
    await settled();
    const { draining } = await it.threads.threadOf("a");
    expect([draining(), isDown, it.pending()]).toEqual([true, false, [5_000]]);
    expect((await it.threads.threadOf("a")).cancel.aborted).toBe(false);
    await letGo("a");
    await down;
    expect(it.invoked).toEqual(["a"]);
    // It runs no more here: any server may have it.
    expect(await it.store.findTask("a")).toMatchObject({ status: "running", owner: null, lease_expires_at: null });
    expect(await it.store.findTask("queued")).toMatchObject({ status: "accepted" });
    expect(await it.kindsOf("queued")).toEqual(["task_accepted"]);
  });

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
