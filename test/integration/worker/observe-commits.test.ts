// Waiting for a report without asking the database.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcome } from "../../../src/domain/outcome.ts";
import type { Commit } from "../../../src/ports.ts";
import { createStore } from "../../../src/store/store.ts";
import { observeCommits } from "../../../src/worker/observe-commits.ts";
import { type Databases, sqliteDatabases } from "../../support/database.ts";

let databases: Databases;
beforeAll(() => {
  databases = sqliteDatabases();
});
afterAll(() => databases.stop());

const watch = async () => observeCommits(createStore({ database: await databases.create(), clock: () => new Date() }));
const report = (thread_id: string, after: Commit["after"] = "last"): Commit => ({
  thread_id,
  after,
  events: [{ kind: "reported", body: outcome("ok", "verified", "done", { thread_id }) }],
});

/** Which of the waits are over by now. */
const over = async (...waits: readonly Promise<void>[]): Promise<boolean[]> => {
  const done = waits.map(() => false);
  for (const [n, wait] of waits.entries()) {
    void wait.then(() => {
      done[n] = true;
    });
  }
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe("a wait", () => {
  const { signal } = new AbortController();

  test("ends with a report of its thread, or of any where it waits for any", async () => {
    const { store, nextReport } = await watch();
    const waits = ["a", "a", "b", null].map((thread_id) => nextReport(thread_id, 60_000, signal));
    await store.commit(report("a"));
    expect(await over(...waits)).toEqual([true, true, false, true]);
    await store.commit(report("b"));
    expect(await over(...waits)).toEqual([true, true, true, true]);
  });

  test("does not end with an event that is for the record, nor with a report that was not written", async () => {
    const { store, nextReport } = await watch();
    await store.commit(report("a"));
    const wait = nextReport("a", 60_000, signal);
    await store.commit({ thread_id: "a", after: "last", events: [{ kind: "retry_granted", body: { index: 0 } }] });
    expect(await store.commit(report("a", null))).toMatchObject({ ok: false });
    expect(await over(wait)).toEqual([false]);
    await store.commit(report("a"));
    expect(await over(wait)).toEqual([true]);
  });

  test("ends when its time is over, when its caller goes away, and at once where there is no time", async () => {
    const { nextReport } = await watch();
    const caller = new AbortController();
    const waits = [nextReport("a", 60_000, caller.signal), nextReport("a", 60_000, signal), nextReport("a", 0, signal)];
    expect(await over(...waits)).toEqual([false, false, true]);
    caller.abort();
    expect(await over(...waits)).toEqual([true, false, true]);
    await nextReport("a", 30, signal);
    expect(await over(nextReport(null, 60_000, caller.signal))).toEqual([true]);
  });
});
