// The journal as the owner of a thread writes it: after the events of others, and not at all once another owner has it.

import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../../../../src/domain/change.ts";
import { brokenLink, type NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { progressOf } from "../../../../src/engine/tasks/progress.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { observeSteps } from "../../../../src/engine/tasks/thread.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { createThreadJournal, fenceIn } from "../../../../src/engine/worker/threads.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT, aContract, aResult, check, cmd, journalOf } from "../../../support/builders.ts";
import { memoryJournal } from "../../../support/memory-journal.ts";
import { memoryStore } from "../../../support/memory-store.ts";

let store: Store;
const clock = () => new Date(AT);
beforeEach(() => {
  store = memoryStore(clock);
});

const takenUp = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: false } });
const retry = (index: number): NewEvent => ({ kind: "retry_granted", body: { index } });
const cancel: NewEvent = { kind: "cancel_requested", body: { reason: null } };
const owned = (thread_id: string, owner = "me") => createThreadJournal({ store, clock, owner }, thread_id, []);
const write = (thread_id: string, event: NewEvent) => store.commit({ thread_id, after: "last", events: [event] });
const kindsIn = async (thread_id: string) => (await store.readJournal(thread_id)).map(({ kind }) => kind);

describe("the owner of a thread", () => {
  test("sees its notes at once, and writes them in order with the next commit", async () => {
    const journal = owned("notes");
    await journal.commit([takenUp("me")]);
    journal.note(retry(1));
    journal.note(retry(2));
    expect(journal.events.map(({ kind, thread_id, seq, at }) => [kind, thread_id, seq, at])).toEqual([
      ["taken_up", "notes", 1, AT],
      ["retry_granted", "notes", 2, AT],
      ["retry_granted", "notes", 3, AT],
    ]);
    expect(await kindsIn("notes")).toEqual(["taken_up"]);
    await journal.commit([cancel]);
    expect(await store.readJournal("notes")).toEqual(journal.events);
    expect(brokenLink(journal.events)).toBeNull();
  });

  test("writes no start after a request to cancel, and hears of the request", async () => {
    let cancelled = 0;
    const journal = createThreadJournal({ store, clock, owner: "me", onCancel: () => void cancelled++ }, "begins", []);
    await journal.commit([takenUp("me")]);
    const start = (index: number): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });
    expect(await journal.begin(start(0))).toBe(true);
    journal.note(retry(0));
    await write("begins", cancel);
    expect([await journal.begin(start(1)), await journal.begin(start(1))]).toEqual([false, false]);
    expect(cancelled).toBe(1);
    expect(await kindsIn("begins")).toEqual(["taken_up", "step_started", "cancel_requested"]);
    await journal.flush();
    expect(await kindsIn("begins")).toEqual(["taken_up", "step_started", "cancel_requested", "retry_granted"]);
  });

  test("writes after the events of others, and then knows them", async () => {
    const journal = owned("others");
    await journal.commit([takenUp("me")]);
    await write("others", cancel);
    journal.note(retry(1));
    await journal.commit([retry(2)]);
    expect(journal.events.map(({ kind }) => kind)).toEqual([
      "taken_up",
      "cancel_requested",
      "retry_granted",
      "retry_granted",
    ]);
    expect(await store.readJournal("others")).toEqual(journal.events);
  });

  test("writes nothing any more once another owner has claimed the thread", async () => {
    const journal = owned("lost");
    await journal.commit([takenUp("me")]);
    await write("lost", takenUp("another"));
    const fenced = { code: "fenced", message: "thread lost has been claimed by another server" };
    for (const again of [1, 2]) await expect(journal.commit([retry(again)])).rejects.toMatchObject(fenced);
    expect(await kindsIn("lost")).toEqual(["taken_up", "taken_up"]);
  });

  test("writes nothing any more once the thread has ended, and knows its end", async () => {
    const journal = owned("ended");
    await journal.commit([takenUp("me")]);
    journal.note(retry(1));
    await write("ended", {
      kind: "reported",
      body: outcome("cancelled", "cancelled", "The supervisor cancelled it.", { thread_id: "ended" }),
    });
    const fenced = { code: "fenced", message: "thread ended has ended" };
    await expect(journal.commit([retry(2)])).rejects.toMatchObject(fenced);
    expect(await kindsIn("ended")).toEqual(["taken_up", "reported"]);
    expect(journal.events, "its notes are dropped").toEqual(await store.readJournal("ended"));
    expect(journal.projection).toEqual(projection(journal.events));
  });

  test("receives a change that did not apply; nothing is written and its notes are kept", async () => {
    const journal = owned("changes");
    await journal.commit([takenUp("me")]);
    journal.note(retry(1));
    const change: Change = { on: "task", task_id: "t-9", expect: { status: ["running"] }, set: { status: "ok" } };
    expect(await journal.tryCommit([cancel], [change])).toEqual(change);
    const message = "a change of task did not hold on thread changes";
    await expect(journal.commit([cancel], [change])).rejects.toMatchObject({ code: "internal_error", message });
    expect(await kindsIn("changes")).toEqual(["taken_up"]);
    await journal.flush();
    expect(await kindsIn("changes")).toEqual(["taken_up", "retry_granted"]);
  });

  test("writes a change of rows that no event records", async () => {
    const { task } = accept({ contract: aContract(), backend: "local", at: AT });
    await owned("t-1").commit([], [{ on: "task_created", task }]);
    expect(await store.findTask("t-1")).toEqual(task);
    expect(await store.readJournal("t-1")).toEqual([]);
  });

  test("asks nothing of the store when there is nothing to write", async () => {
    const commit = () => Promise.reject(new Error("the store was asked"));
    const journal = createThreadJournal({ store: { ...store, commit }, clock, owner: "me" }, "idle", []);
    await journal.flush();
    expect(await journal.tryCommit([], [])).toBeNull();
    journal.note(retry(1));
    await expect(journal.flush()).rejects.toThrow("the store was asked");
  });
});

const INDEX = fc.integer({ min: 0, max: 3 });
const EVENT: fc.Arbitrary<NewEvent> = fc.oneof(
  INDEX.map((index): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } })),
  INDEX.map((index): NewEvent => ({ kind: "step_finished", body: aResult({ index }) })),
  INDEX.map((index): NewEvent => ({ kind: "retry_granted", body: { index } })),
  fc.constant<NewEvent>({ kind: "cancel_requested", body: { reason: null } }),
);
const ACT = fc.record({ by: fc.constantFrom("note", "commit", "another"), event: EVENT });

test("the projection is kept up to date through notes, commits and what others write", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ACT, { maxLength: 30 }), async (acts) => {
      const { store } = memoryJournal();
      const journal = createThreadJournal({ store, clock: () => new Date(AT), owner: "me" }, "t-1", []);
      for (const { by, event } of acts) {
        if (by === "note") journal.note(event);
        else if (by === "commit") await journal.commit([event]);
        else await store.commit({ thread_id: "t-1", after: "last", events: [event] });
        expect(journal.projection).toEqual(projection(journal.events));
      }
      await journal.commit([{ kind: "cancel_requested", body: { reason: null } }]);
      expect(journal.events).toEqual(await store.readJournal("t-1"));
      expect(journal.projection).toEqual(projection(journal.events));
    }),
  );
});

test("the projection holds what is noted while a commit is under way", async () => {
  const { store } = memoryJournal();
  const journal = createThreadJournal({ store, clock: () => new Date(AT), owner: "me" }, "t-1", []);
  const commit = journal.commit([{ kind: "step_started", body: { index: 0, attempt: 1 } }]);
  journal.note({ kind: "step_finished", body: aResult({ index: 0 }) });
  await commit;
  expect(journal.projection.steps.passed).toBe(1);
  await journal.flush();
  expect((await store.readJournal("t-1")).map(({ kind }) => kind)).toEqual(["step_started", "step_finished"]);
});

/** How often the kind of an event is read while a plan of so many steps runs, with a look at the progress after each. */
async function looksFor(count: number): Promise<number> {
  const { store, looks } = memoryJournal();
  const journal = createThreadJournal({ store, clock: () => new Date(), owner: "me" }, "t-1", []);
  const { signal } = new AbortController();
  const observer = observeSteps({ journal, cancel: signal, draining: () => false, leaving: signal }, null);
  const plan: Step[] = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? cmd("true") : check("true")));
  for (const [index, { kind }] of plan.entries()) {
    expect(progressOf(journal.projection, plan)).toEqual({ is: "ready", index, attempt: 1 });
    await observer.started(index, 1);
    observer.finished(aResult({ index, kind }));
  }
  await journal.flush();
  expect(progressOf(journal.projection, plan)).toEqual({ is: "completed" });
  return looks();
}

test("a plan of twice as many steps takes twice as many looks at events, not four times", async () => {
  const [once, twice] = [await looksFor(500), await looksFor(1_000)];
  expect(once).toBeGreaterThan(0);
  expect(twice).toBeLessThanOrEqual(2 * once);
});

const claimedBy = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: true } });
const reported = (status: Parameters<typeof outcome>[0]): NewEvent => ({
  kind: "reported",
  body: outcome(status, "internal_error", "It stops.", { thread_id: "t-1" }),
});
const failedStep: NewEvent = { kind: "step_finished", body: aResult({ status: "failed" }) };
const asked: NewEvent = { kind: "cancel_requested", body: { reason: null } };

describe("a worker", () => {
  test.each<[string, NewEvent[]]>([
    ["no event", []],
    ["its own claim", [claimedBy("me")]],
    ["a request to cancel", [asked]],
    ["a question to the supervisor", [reported("need_input")]],
    ["a question to a human", [reported("need_approval")]],
    ["the end of a step that failed", [failedStep]],
  ])("continues after %s", (_what, added) => {
    expect(fenceIn(journalOf(...added), "me")).toBeNull();
  });

  test("stops after the claim of another", () => {
    expect(fenceIn(journalOf(asked, claimedBy("other")), "me")).toBe("claimed");
  });

  test.each(["ok", "failed", "blocked", "cancelled"] as const)("stops after the end %s by any writer", (status) => {
    expect(fenceIn(journalOf(asked, reported(status)), "me")).toBe("ended");
    expect(fenceIn(journalOf(claimedBy("other"), reported(status)), "me")).toBe("ended");
  });
});
