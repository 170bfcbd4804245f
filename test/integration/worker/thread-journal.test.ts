// The journal as the owner of a thread writes it: after the events of others, and not at all once another owner has it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brokenLink, type NewEvent } from "../../../src/domain/journal.ts";
import { outcome } from "../../../src/domain/outcome.ts";
import type { Change, Store } from "../../../src/ports.ts";
import { createStore } from "../../../src/store/store.ts";
import { createThreadJournal } from "../../../src/worker/thread-journal.ts";
import { type Databases, sqliteDatabases } from "../../support/database.ts";

let databases: Databases;
let store: Store;
const clock = () => new Date();
beforeAll(async () => {
  databases = sqliteDatabases();
  store = createStore({ database: await databases.create(), clock });
});
afterAll(() => databases.stop());

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
    expect(journal.events.map(({ kind, seq }) => [kind, seq])).toEqual([
      ["taken_up", 1],
      ["retry_granted", 2],
      ["retry_granted", 3],
    ]);
    expect(await kindsIn("notes")).toEqual(["taken_up"]);
    await journal.commit([cancel]);
    expect(await store.readJournal("notes")).toEqual(journal.events);
    expect(brokenLink(journal.events)).toBeNull();
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
    await expect(journal.commit([retry(1)])).rejects.toMatchObject({ code: "fenced" });
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
    await expect(journal.commit([retry(2)])).rejects.toMatchObject({ code: "fenced" });
    expect(journal.events.map(({ kind }) => kind)).toEqual(["taken_up", "reported"]);
    expect(await kindsIn("ended")).toEqual(["taken_up", "reported"]);
  });

  test("receives a change that did not apply; nothing is written and its notes are kept", async () => {
    const journal = owned("changes");
    await journal.commit([takenUp("me")]);
    journal.note(retry(1));
    const change: Change = { on: "task", task_id: "nobody", expect: { status: ["running"] }, set: { status: "ok" } };
    expect(await journal.tryCommit([cancel], [change])).toEqual(change);
    await expect(journal.commit([cancel], [change])).rejects.toMatchObject({ code: "internal_error" });
    expect(await kindsIn("changes")).toEqual(["taken_up"]);
    await journal.flush();
    expect(await kindsIn("changes")).toEqual(["taken_up", "retry_granted"]);
  });
});
