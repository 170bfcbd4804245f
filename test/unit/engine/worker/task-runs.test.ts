// What a server holds, runs once, and leaves to the others.
import { INTERRUPT } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import { settled } from "../../../support/manual-timer.ts";
import { held, pausedAs, SHARED, server } from "./a-server.ts";

const RECOVER = { kind: "recover" } as const;
const fails = (error: Error = new Error("the disk is full")) => {
  throw error;
};
const waits = ({ done }: { readonly done: readonly string[] }) => done.filter((line) => line.startsWith("waiting"));

async function stored(it: ReturnType<typeof server>, task_id: string) {
  const task = await it.store.findTask(task_id);
  if (task === null) throw new Error(`${task_id} is stored`);
  return task;
}

describe("a server that leaves", () => {
  test("says of what waits here that others may have it, and lets what runs go on with its target", async () => {
    const { act, letGo } = held();
    const it = server(act);
    await it.begin("runs", SHARED);
    await it.begin("waits", SHARED);
    const left = it.dispatcher.leave();
    await settled();
    expect([waits(it), it.locks.holderOf("service=web")]).toEqual([["waiting waits"], "runs"]);
    await letGo("runs");
    await left;
    expect([waits(it), it.locks.holderOf("service=web")]).toEqual([["waiting waits", "waiting runs"], null]);
    expect(it.invoked).toEqual(["runs"]);
  });

  test("takes nothing more, and says so each time", async () => {
    const places: boolean[] = [];
    const it = server(held().act, { onPlaces: (is_free) => void places.push(is_free) });
    const task = await it.submit("late");
    for (let nth = 0; nth < 2; nth += 1) await it.dispatcher.leave();
    expect(places, "it has no free place for any other server to hear of").toEqual([false]);
    for (let nth = 0; nth < 2; nth += 1) it.dispatcher.dispatch(task, RECOVER);
    await settled();
    expect([waits(it), it.invoked, it.dispatcher.isLeaving()]).toEqual([["waiting late", "waiting late"], [], true]);
  });

  test.each([
    ["gives back the claim of", true, null],
    ["keeps the claim, where something that was started may still run, of", false, "me"],
  ])("%s a task that an error has cut off", async (_what, cleared, owner) => {
    const it = server(() => fails(), { cleared: () => cleared });
    await it.begin("a");
    await it.dispatcher.leave();
    await it.fire();
    expect([waits(it), it.invoked]).toEqual([["waiting a"], ["a"]]);
    expect(await stored(it, "a")).toMatchObject({ status: "running", owner });
  });

  test("gives back a task that an error cuts off meanwhile, and sets no time for it", async () => {
    const { act, letGo } = held();
    const it = server((id) => act(id).then(() => fails()));
    await it.begin("a", SHARED);
    const left = it.dispatcher.leave();
    await letGo("a");
    await left;
    expect([waits(it), it.pending(), it.locks.holderOf("service=web")]).toEqual([["waiting a"], [], null]);
    expect(await stored(it, "a")).toMatchObject({ owner: null });
  });

  test("keeps what it cannot read", async () => {
    const error = new OrchError("quarantined", "the row of a cannot be read");
    const it = server(held().act, {
      store: ({ findTask }) => ({ findTask: (id) => (id === "a" ? Promise.reject(error) : findTask(id)) }),
    });
    const task = await it.submit("a");
    await it.dispatcher.reconcile();
    it.dispatcher.dispatch(task, RECOVER);
    await it.dispatcher.leave();
    expect([it.invoked, waits(it)]).toEqual([[], []]);
  });
});

describe("a task whose journal only a newer version can read", () => {
  test("is left to a server of that version, and is not run here any more", async () => {
    const error = new OrchError("journal_newer", "event 3 of a is of a newer version");
    const it = server(() => fails(error));
    await it.begin("a", SHARED);
    expect([waits(it), it.pending(), it.locks.holderOf("service=web")]).toEqual([["waiting a"], [], null]);
    expect(await stored(it, "a")).toMatchObject({ owner: null });
    const message = "a task is left to a server of the version that has written it";
    expect(it.logged).toEqual([{ task_id: "a", err: error, message }]);
    it.dispatcher.dispatch(await stored(it, "a"), RECOVER);
    await settled();
    expect(it.invoked).toEqual(["a"]);
  });
});

describe("a task that this server holds", () => {
  test("does not run in its turn when it was forgotten while it waited for a free slot", async () => {
    const { act, letGo } = held();
    const it = server(act, { concurrency: 1 });
    await it.begin("runs");
    await it.begin("ended");
    await it.dispatcher.forget(await stored(it, "ended"));
    await letGo("runs");
    expect(it.invoked).toEqual(["runs"]);
  });

  test.each<[string, Parameters<ReturnType<typeof server>["dispatcher"]["dispatch"]>[1] | null, object]>([
    ["that pauses without an answer", null, pausedAs("a")],
    ["that pauses after a look of this server", RECOVER, pausedAs("a")],
    ["that ends after an answer", { kind: "resume", interrupt_id: "i-1" }, {}],
  ])("%s has run once", async (_what, start, result) => {
    const { act, letGo } = held();
    const it = server(act);
    await it.begin("a");
    if (start !== null) it.dispatcher.dispatch(await stored(it, "a"), start);
    await letGo("a", result);
    expect([it.invoked, it.done.filter((line) => line === "paused").length, it.logged]).toEqual([
      ["a"],
      INTERRUPT in result ? 1 : 0,
      [],
    ]);
  });

  test("is taken up again with the fault, and with whether anything of it may still run", async () => {
    for (const cleared of [true, false]) {
      let runs = 0;
      const it = server(() => (runs++ === 0 ? fails() : {}), { cleared: () => cleared });
      await it.begin("a");
      await it.fire();
      const claims = (await it.store.readJournal("a")).filter(({ kind }) => kind === "taken_up");
      const after = "an unexpected error, see the log";
      const body = { owner: "me", recovery: true, after, ...(cleared && { cleared: true }) };
      expect(claims[1]?.body).toEqual(body);
    }
  });

  test("that a freeze holds gives its target to the next one, and is neither finished nor paused", async () => {
    const holdBack = { keeps: () => false, around: async () => null };
    const it = server(held().act, { holdBack });
    await it.begin("a", SHARED);
    expect([it.done, it.logged, it.invoked, it.locks.holderOf("service=web")]).toEqual([[], [], [], null]);
  });
});

describe("one of several servers", () => {
  test("runs a task that it has set aside once the task that had its target has reported", async () => {
    let holder: string | null = "elsewhere";
    const listHolds = async () => (holder === null ? [] : [{ target_signature: "service=web", task_id: holder }]);
    const it = server(held().act, { are_many: true, store: () => ({ listHolds }) });
    await it.dispatcher.reconcile();
    await it.begin("a", SHARED);
    expect([it.invoked, it.locks.holderOf("service=web")]).toEqual([[], "a"]);
    holder = null;
    it.dispatcher.reported("elsewhere");
    await settled();
    expect(it.invoked).toEqual(["a"]);
  });

  test.each([
    ["waits for an older one of another server when it is recovered", true, [], [100]],
    ["is run at once when it was accepted here", false, ["b"], []],
  ])("a task %s", async (_what, is_recovery, invoked, pending) => {
    const it = server(held().act, { are_many: true });
    await it.submit("a-older", SHARED);
    const task = await it.submit("b", SHARED);
    const events = await it.store.readJournal("b");
    it.dispatcher.dispatch(task, is_recovery ? RECOVER : { kind: "new", events });
    await settled();
    expect([it.invoked, it.pending()]).toEqual([invoked, pending]);
  });
});
