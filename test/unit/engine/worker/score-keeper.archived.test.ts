import { expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import { brokenPromises } from "../../../../src/engine/evidence/verify/promises.ts";
import { createScoreKeeper } from "../../../../src/engine/worker/score-keeper.ts";
import type { Store } from "../../../../src/ports.ts";
import { createHouse, passes, pinned } from "../../../support/house.ts";
import { manualTimer } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const SOP = { sop_id: "00000000-0000-4000-8000-000000000001" };

const keeperOn = (store: Store) =>
  createScoreKeeper({
    store,
    brokenIn: brokenPromises,
    timer: manualTimer().timer,
    now: () => performance.now(),
    log: { error: () => undefined },
  });

const at = (hour: number) => new Date(Date.UTC(2026, 1, 10) + hour * 3_600_000).toISOString();

test("the score of an archived task is kept when the fold begins anew, also while the archive cannot be read", async () => {
  const { store, live } = createHouse(memoryStore);
  const keeper = keeperOn(store);
  await live({ task_id: "old", host: "a", at: at(1), events: () => [pinned(SOP), ...passes()] });
  await keeper.catchUp(60_000);
  const score = await store.findScore("old");
  const journal = await store.readJournal("old");
  const last = journal.at(-1);
  // By the row alone the task would be one whose chain is broken.
  const reported = journal.find(({ kind }) => kind === "reported");
  if (reported?.kind !== "reported") throw new Error("it has ended");
  const set = { status: "ok", outcome: reported.body, ended_at: at(1) } as const;
  await store.commit({
    thread_id: "old",
    after: "last",
    events: [],
    changes: [{ on: "task", task_id: "old", expect: { status: ["accepted"] }, set }],
  });
  const archived = {
    task_id: "old",
    last_seq: last?.seq ?? 0,
    last_hash: last?.hash ?? "",
    file: "f",
    file_offset: 0,
    file_bytes: 1,
    bundle_digest: "d",
    archived_at: at(2),
  };
  await store.commit({
    thread_id: "archive/f",
    after: "last",
    events: [],
    changes: [{ on: "task_archived", archived }],
  });
  const withoutArchive: Store = {
    ...store,
    readJournal: async (thread_id, range) => {
      if (thread_id === "old" && (range?.after ?? 0) < archived.last_seq - 1)
        throw new OrchError("quarantined", "gone");
      return store.readJournal(thread_id, range);
    },
    commit: async (commit) =>
      store.commit({ ...commit, changes: commit.changes?.filter(({ on }) => on !== "scores_deleted") ?? [] }),
  };
  const later = keeperOn(withoutArchive);
  await later.rebuild();
  await later.catchUp(60_000);
  expect(await store.findScore("old")).toEqual(score);
  const body = { verified: true, source: "later", note: null };
  await store.commit({ thread_id: "old", after: "last", events: [{ kind: "verification_recorded", body }] });
  await later.catchUp(60_000);
  expect(await store.findScore("old")).toEqual(score);
  const again = keeperOn(store);
  await store.commit({ thread_id: "old", after: "last", events: [{ kind: "verification_recorded", body }] });
  await again.catchUp(60_000);
  expect(await store.findScore("old")).toMatchObject({ external: true, broken: 0 });
});
