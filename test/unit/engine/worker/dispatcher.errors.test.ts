// What becomes of a task when an error of orch itself, or of its database, cuts it off.
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import { settled } from "../../../support/manual-timer.ts";
import { SHARED, server } from "./a-server.ts";

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

  test("that follows every claim, although the database works, gives the task up after half a minute", async () => {
    const it = fails(new OrchError("database_unusable", "the row is refused"));
    await it.begin("a", SHARED);
    for (let nth = 0; nth < 100 && it.pending().length > 0; nth += 1) await it.fire();
    expect(it.invoked).toHaveLength(31);
    expect(await it.store.findTask("a")).toMatchObject({ status: "failed" });
  });
});
