// The journal of a Store: the chain, who may continue it, and the messages read across it.
import { beforeAll, describe, expect, test } from "vitest";
import { brokenLink } from "../../src/domain/journal.ts";
import { createThreadJournal } from "../../src/engine/worker/threads.ts";
import type { Commit, Store } from "../../src/ports.ts";
import { aTask, aThread, type CreateStore, eventsOf, finished, reported, started } from "./store-records.ts";

export function journalSuite(create: CreateStore): void {
  let store: Store;
  beforeAll(async () => {
    store = await create();
  });
  const write = async (commit: Commit) => eventsOf(await store.commit(commit));

  describe("the journal", () => {
    test("chains what is committed and gives back exactly that", async () => {
      const thread_id = aThread();
      const first = await write({ thread_id, after: null, events: [started(), finished("ü \u0000 \n")] });
      const second = await write({ thread_id, after: first.at(-1) ?? null, events: [reported()] });
      const journal = await store.readJournal(thread_id);
      expect(journal).toEqual([...first, ...second]);
      expect(journal.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(brokenLink(journal)).toBeNull();
    });

    test("reports once what is written, at the latest before the answer, and nothing that is refused", async () => {
      const thread_id = aThread();
      const created = { on: "task_created", task: aTask({ task_id: thread_id }) } as const;
      const commit = async (given: Partial<Commit>) => {
        const told: unknown[] = [];
        const onWritten: Commit["onWritten"] = (events) => told.push(events);
        const all = { thread_id, after: null, events: [started()], ...given, onWritten };
        return { result: await store.commit(all), told };
      };
      const accepted = await commit({ changes: [created] });
      expect(accepted.told).toEqual([eventsOf(accepted.result)]);
      const tail = eventsOf(accepted.result).at(-1) ?? null;
      const plain = await commit({ after: tail, events: [finished()] });
      expect(plain.told).toEqual([eventsOf(plain.result)]);
      const refused = await Promise.all([commit({ changes: [created] }), commit({ after: tail })]);
      expect(refused.map(({ result, told }) => [result.ok, told])).toEqual([
        [false, []],
        [false, []],
      ]);
    });

    test("lets no step start after a request to cancel that another writer has added", async () => {
      const thread_id = aThread();
      const clock = () => new Date();
      const journal = createThreadJournal({ store, clock, owner: "me" }, thread_id, []);
      const start = (index: number) => ({ kind: "step_started", body: { index, attempt: 1 } }) as const;
      expect(await journal.begin(start(0))).toBe(true);
      const [begun, asked] = await Promise.all([
        journal.begin(start(1)),
        write({ thread_id, after: "last", events: [{ kind: "cancel_requested", body: { reason: null } }] }),
      ]);
      const kinds = (await store.readJournal(thread_id)).map(({ kind }) => kind);
      expect(kinds).toEqual(
        begun ? ["step_started", "step_started", "cancel_requested"] : ["step_started", "cancel_requested"],
      );
      expect(asked).toHaveLength(1);
      expect(await journal.begin(start(2))).toBe(false);
      expect(await store.readJournal(thread_id)).toHaveLength(kinds.length);
    });

    test("gives a part of it, after an event that is known", async () => {
      const thread_id = aThread();
      const all = await write({
        thread_id,
        after: null,
        events: [started(), finished(), started(1), finished(), reported()],
      });
      expect(await store.readJournal(thread_id, { after: 0, limit: 2 })).toEqual(all.slice(0, 2));
      expect(await store.readJournal(thread_id, { after: 2, limit: 500 })).toEqual(all.slice(2));
      expect(await store.readJournal(thread_id, { after: 5, limit: 500 })).toEqual([]);
    });

    test("keeps threads apart and knows an empty one", async () => {
      const thread_id = aThread();
      await write({ thread_id, after: null, events: [started()] });
      expect(await store.readJournal(`${thread_id}-other`)).toEqual([]);
    });

    test("refuses an event whose place was taken, and writes nothing of that commit", async () => {
      const thread_id = aThread();
      const [first] = await write({ thread_id, after: null, events: [started()] });
      await write({ thread_id, after: first ?? null, events: [finished()] });
      for (const after of [null, first ?? null]) {
        const late = await store.commit({ thread_id, after, events: [started(7), finished()] });
        expect(late).toEqual({ ok: false, conflict: "journal" });
      }
      expect(await store.readJournal(thread_id)).toHaveLength(2);
    });

    test("finds the last event itself for a writer that is not the owner", async () => {
      const thread_id = aThread();
      for (const _ of "abc") await write({ thread_id, after: "last", events: [started()] });
      const journal = await store.readJournal(thread_id);
      expect(journal.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(brokenLink(journal)).toBeNull();
    });

    test("takes concurrent writers that are not the owner, none of which is lost", async () => {
      const thread_id = aThread();
      const commits = Array.from({ length: 8 }, (_, index) =>
        write({ thread_id, after: "last", events: [started(index)] }),
      );
      await Promise.all(commits);
      const journal = await store.readJournal(thread_id);
      expect(journal).toHaveLength(8);
      expect(brokenLink(journal)).toBeNull();
    });

    test("lets exactly one of two owners continue", async () => {
      const thread_id = aThread();
      const [first] = await write({ thread_id, after: null, events: [started()] });
      const rivals = [0, 1].map((index) =>
        store.commit({ thread_id, after: first ?? null, events: [started(index)], changes: [] }),
      );
      expect((await Promise.all(rivals)).filter(({ ok }) => ok)).toHaveLength(1);
    });

    test("takes bodies of 130 KiB and more events than one statement can bind", async () => {
      const thread_id = aThread();
      const [large] = await write({ thread_id, after: null, events: [finished("x".repeat(133_120))] });
      const many = Array.from({ length: 4100 }, (_, index) => started(index));
      await write({ thread_id, after: large ?? null, events: many });
      const journal = await store.readJournal(thread_id);
      expect(journal).toHaveLength(4101);
      expect(brokenLink(journal)).toBeNull();
    });

    test("takes many threads at once", async () => {
      const ids = Array.from({ length: 40 }, aThread);
      await Promise.all(
        ids.map(async (thread_id) => {
          const first = await write({
            thread_id,
            after: null,
            events: [started()],
            changes: [{ on: "task_created", task: aTask({ task_id: thread_id }) }],
          });
          await write({ thread_id, after: first.at(-1) ?? null, events: [finished(), reported()] });
        }),
      );
      const journals = await Promise.all(ids.map((id) => store.readJournal(id)));
      expect(journals.map(brokenLink)).toEqual(ids.map(() => null));
      expect(journals.map((journal) => journal.length)).toEqual(ids.map(() => 3));
    });
  });

  describe("messages to the supervisor", () => {
    test("are the reports of all threads in one order, read from a cursor on", async () => {
      const fresh = await create();
      const commit = (thread_id: string, events: Commit["events"]) =>
        fresh.commit({ thread_id, after: "last", events });
      await commit("a", [started(), reported("one")]);
      await commit("b", [reported("two"), finished()]);
      await commit("a", [reported("three")]);
      const all = await fresh.readMessages(0, 10);
      expect(all.map(({ event }) => [event.thread_id, event.seq])).toEqual([
        ["a", 2],
        ["b", 1],
        ["a", 3],
      ]);
      expect(await fresh.readMessages(all[0]?.cursor ?? 0, 1)).toEqual([all[1]]);
      expect(await fresh.readMessages(all[2]?.cursor ?? 0, 10)).toEqual([]);
      expect(await fresh.lastMessage()).toBe(all[2]?.cursor);
    });

    test("are ticked off for each receiver up to a cursor", async () => {
      const fresh = await create();
      const tick = (receiver: string, cursor: number) =>
        fresh.commit({
          thread_id: receiver,
          after: "last",
          events: [],
          changes: [{ on: "delivered", receiver, cursor }],
        });
      expect([await fresh.findDelivered("one"), await fresh.lastMessage()]).toEqual([null, 0]);
      await tick("one", 0);
      await tick("one", 7);
      await tick("two", 3);
      expect([await fresh.findDelivered("one"), await fresh.findDelivered("two")]).toEqual([7, 3]);
      expect(await fresh.readJournal("one")).toEqual([]);
    });

    test("are never skipped by a reader that follows while many threads report at once", async () => {
      const fresh = await create();
      const seen: number[] = [];
      const threads = Array.from({ length: 12 }, aThread);
      let writing = true;
      const follow = async () => {
        for (let done = false; !done; ) {
          done = !writing;
          const messages = await fresh.readMessages(seen.at(-1) ?? 0, 5);
          seen.push(...messages.map(({ cursor }) => cursor));
          if (messages.length > 0) done = false;
        }
      };
      const reader = follow();
      await Promise.all(
        threads.map(async (thread_id) => {
          for (const index of [1, 2, 3, 4]) {
            await fresh.commit({ thread_id, after: "last", events: [started(index), reported()] });
          }
        }),
      );
      writing = false;
      await reader;
      expect(seen).toHaveLength(48);
      expect(seen).toEqual((await fresh.readMessages(0, 100)).map(({ cursor }) => cursor));
    });
  });
}
