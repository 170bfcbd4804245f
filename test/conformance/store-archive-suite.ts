// How a Store keeps where the journals of old tasks are.
import { beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import { TaskContract } from "../../src/domain/contract.ts";
import type { Store } from "../../src/ports.ts";
import { aScore, aSop, aTask, type CreateStore, started } from "./store-records.ts";

export function archiveSuite(create: CreateStore): void {
  describe("the archive", () => {
    let store: Store;
    beforeEach(async () => {
      store = await create();
    });

    const archived = (task_id: string, over: object = {}): Change => {
      const place = { file: "2026-03.ndjson.zst", file_offset: 0, file_bytes: 10, bundle_digest: "d" };
      return {
        on: "task_archived",
        archived: { task_id, ...place, last_seq: 2, last_hash: "h", archived_at: "2026-03-06T09:00:00.000Z", ...over },
      };
    };
    const write = (...changes: Change[]) => store.commit({ thread_id: "archive", after: "last", events: [], changes });

    test("takes a task once, and only while its last event is the last", async () => {
      await store.commit({ thread_id: "a", after: null, events: [started(), started()] });
      const [, last] = await store.readJournal("a");
      const wrong = archived("a");
      expect(await write(wrong)).toEqual({ ok: false, conflict: wrong });
      expect((await write(archived("a", { last_hash: last?.hash }))).ok).toBe(true);
      expect((await write(archived("a", { last_hash: last?.hash, file_offset: 10 }))).ok).toBe(false);
      expect(await store.findArchived("a")).toMatchObject({ task_id: "a", last_seq: 2 });
      expect(await store.findArchived("b")).toBeNull();
      expect(await store.archivedEnd("2026-03.ndjson.zst")).toBe(10);
      expect(await store.archivedEnd("2026-04.ndjson.zst")).toBe(0);
      expect(await store.listArchiveFiles()).toEqual([{ file: "2026-03.ndjson.zst", file_end: 10 }]);
      await store.commit({ thread_id: "a", after: last ?? null, events: [started(1)] });
      expect((await store.readJournal("a", { after: 2, limit: 5 })).map(({ seq }) => seq)).toEqual([3]);
    });

    test("lists what has ended, but for what is DONE and not verified, and the task that taught or replaced a version in use", async () => {
      const ended_at = "2026-03-06T10:00:00.000Z";
      const wishing = TaskContract.parse({ ...aTask().contract, verify_by: "sop:look" });
      for (const [task_id, over] of [
        ["done", {}],
        ["failed-unseen", { status: "failed", contract: wishing }],
        ["done-unseen", { contract: wishing }],
        ["taught", {}],
        ["replaced", {}],
      ] as const) {
        const task = aTask({ task_id, status: "ok", waiting: null, verification: null, ended_at, ...over });
        await write({ on: "task_created", task }, { on: "task_scored", score: aScore({ task_id, status: "failed" }) });
      }
      for (const [origin, target_signature] of [
        ["taught", "host=a"],
        ["update_sop replaced", "host=b"],
      ] as const)
        await write({ on: "sop_created", sop: aSop({ origin, status: "active", target_signature }) });
      const times = { ended_before: "2999-01-01T00:00:00.000Z", unverified_since: "2999-01-01T00:00:00.000Z" };
      const listed = await store.listArchivable({ ...times, limit: 9, after: null });
      expect(listed.map(({ task_id }) => task_id)).toEqual(["done", "failed-unseen"]);
    });

    test("lists nothing that has not ended", async () => {
      await write({ on: "task_scored", score: aScore() });
      const times = { ended_before: "2999-01-01T00:00:00.000Z", unverified_since: "2026-01-01T00:00:00.000Z" };
      expect(await store.listArchivable({ ...times, limit: 5, after: null })).toEqual([]);
    });
  });
}
