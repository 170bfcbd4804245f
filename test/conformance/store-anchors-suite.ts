// How a Store keeps what the roots of days are over.
import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../src/ports.ts";
import { type CreateStore, started } from "./store-records.ts";

const HASH = "a".repeat(64);

export function anchorsSuite(create: CreateStore): void {
  describe("anchors", () => {
    let store: Store;
    beforeEach(async () => {
      store = await create();
    });

    test("are made of the events of all threads, in their order, after a cursor", async () => {
      for (const thread_id of ["a", "b", "a"]) await store.commit({ thread_id, after: "last", events: [started()] });
      const grown = await store.readGrowth(0, 10);
      expect(grown.map(({ thread_id, seq }) => [thread_id, seq])).toEqual([
        ["a", 1],
        ["b", 1],
        ["a", 2],
      ]);
      const [first, second] = grown;
      const [own] = await store.readJournal("a");
      expect(first).toMatchObject({ hash: own?.hash, at: own?.at });
      expect(await store.readGrowth(first?.cursor ?? 0, 1)).toEqual([second]);
    });

    test("keep the ends of journals by day, also of more than fit one statement", async () => {
      const leaves = Array.from({ length: 4_500 }, (_, at) => ({ thread_id: `t-${at}`, seq: at + 1, hash: HASH }));
      const write = (day: string, of: typeof leaves) =>
        store.commit({
          thread_id: "x",
          after: "last",
          events: [],
          changes: [{ on: "anchor_leaves", day, leaves: of }],
        });
      await write("2026-03-06", leaves);
      await write("2026-03-07", leaves.slice(7, 8));
      expect(await store.readLeaves("2026-03-06")).toHaveLength(4_500);
      expect(await store.readLeaves("2026-03-07")).toEqual(leaves.slice(7, 8));
      expect(await store.readLeaves("2026-03-08")).toEqual([]);
      expect(await store.listAnchored("t-7", 5)).toEqual([
        { day: "2026-03-07", seq: 8, hash: HASH },
        { day: "2026-03-06", seq: 8, hash: HASH },
      ]);
      expect(await store.listAnchored("t-7", 1)).toHaveLength(1);
    });
  });
}
