// What becomes of a task when an error of orch itself, or of its database, cuts it off.
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import { settled } from "../../../support/manual-timer.ts";
import { SHARED, server, started } from "./a-server.ts";

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

  test("leaves the target to others when the task is cancelled before it is recovered", async () => {
    const it = fails();
    await it.begin("a", SHARED);
    const task = await it.store.findTask("a");
    if (task === null) throw new Error("the task is stored");
    await it.dispatcher.forget(task);
    expect(it.locks.holderOf("service=web")).toBeNull();
    await it.fire();
    expect([it.locks.holderOf("service=web"), it.invoked.length, it.pending()]).toEqual([null, 1, []]);
  });

  test("that a journal cannot be read leaves the task in quarantine at once, and its target is kept until it is cancelled", async () => {
    const found: unknown[] = [];
    const quarantine = {
      add: (one: unknown) => void found.push(one),
      remove: (record: string, id: string) => void found.push(`${record} ${id} is out`),
    };
    let isDamaged = false;
    const error = new OrchError("quarantined", "event 3 of a in the database cannot be read");
    const it = server(
      () => {
        isDamaged = true;
        throw error;
      },
      {
        quarantine,
        store: ({ readJournal }) => ({ readJournal: (id) => (isDamaged ? Promise.reject(error) : readJournal(id)) }),
      },
    );
    const task = await it.submit("a", SHARED);
    it.dispatcher.dispatch(task, { kind: "recover" });
    await settled();
    await it.dispatcher.reconcile();
    expect([it.pending(), it.invoked, it.locks.holderOf("service=web")]).toEqual([[], ["a"], "a"]);
    expect(found).toEqual([{ record: "task", id: "a", fault: error.message }]);
    expect(await it.store.findTask("a")).toMatchObject({ status: "running" });
    await it.dispatcher.forget(task);
    expect([it.locks.holderOf("service=web"), found.at(-1)]).toEqual([null, "task a is out"]);
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

  test("after progress starts the count of attempts anew", async () => {
    const looked = { kind: "retry_granted", body: { index: 0 } } as const;
    let runs = 0;
    const it = server(async (id) => {
      runs += 1;
      if (runs <= 6) await it.write(id, [looked]);
      throw new Error("the connection is lost");
    });
    await it.begin("a", SHARED);
    for (let nth = 0; nth < 6; nth += 1) {
      expect(it.pending()).toEqual([1_000]);
      await it.fire();
    }
    for (const ms of [5_000, 30_000]) {
      expect(it.pending()).toEqual([ms]);
      await it.fire();
    }
    expect([runs, it.pending()]).toEqual([9, []]);
    expect(await it.store.findTask("a")).toMatchObject({ status: "failed" });
  });

  test("in the middle of a step gives the task up by asking about the step, and keeps the target", async () => {
    const it = fails();
    it.dispatcher.dispatch(await it.submit("a", SHARED, started), { kind: "recover" });
    await settled();
    for (let nth = 0; nth < 3; nth += 1) await it.fire();
    const message =
      "orch could not carry the task on: an unexpected error, see the log. Step 0 was started and its end is not recorded. It may or may not have taken effect.";
    expect(await it.store.findTask("a")).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "step_outcome_unknown", message, step_index: 0 },
      waiting: { kind: "resolution", index: 0, attempt: 1 },
    });
    expect([it.locks.holderOf("service=web"), it.done.at(-1)]).toEqual(["a", "paused"]);
  });

  test("in the database is waited for, and the task continues as soon as a probe succeeds", async () => {
    let isAway = true;
    const it = server(
      () => {
        if (isAway) throw new OrchError("database_unusable", "the disk is full");
        return {};
      },
      {
        store: ({ renewLeases }) => ({
          renewLeases: (...to) => (isAway ? Promise.reject(new Error("x")) : renewLeases(...to)),
        }),
      },
    );
    await it.begin("a", SHARED);
    for (let nth = 0; nth < 50; nth += 1) {
      expect(it.pending()).toEqual([1_000]);
      await it.fire();
    }
    expect([it.invoked, it.locks.holderOf("service=web")]).toEqual([["a"], "a"]);
    isAway = false;
    await it.fire();
    await it.fire();
    expect([it.invoked, it.pending()]).toEqual([["a", "a"], []]);
    expect(it.done.at(-1)).toBe("finished a");
  });

  test("that follows every claim, although the database works, gives the task up after half a minute", async () => {
    const it = fails(new OrchError("database_unusable", "the row is refused"));
    await it.begin("a", SHARED);
    for (let nth = 0; nth < 100 && it.pending().length > 0; nth += 1) await it.fire();
    expect(it.invoked).toHaveLength(31);
    expect(await it.store.findTask("a")).toMatchObject({ status: "failed" });
  });

  test("that is a fence is not retried: another server has the task", async () => {
    const it = fails(new OrchError("fenced", "thread a has been claimed by another server"));
    await it.begin("a", SHARED);
    expect([it.pending(), it.logged, it.invoked, it.locks.holderOf("service=web")]).toEqual([[], [], ["a"], null]);
    expect(await it.store.findTask("a")).toMatchObject({ status: "running" });
  });
});
