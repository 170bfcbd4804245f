// The fold of journals into scores: when it runs, what it remembers, and that it may be begun anew at any time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/domain/change.ts";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { TaskScore } from "../../../../src/domain/scorecard/task-score.ts";
import { brokenPromises } from "../../../../src/engine/evidence/verify/promises.ts";
import { createScoreKeeper, SCORE_DUTY, scoresBehind } from "../../../../src/engine/worker/score-keeper.ts";
import type { Store } from "../../../../src/ports.ts";
import { createHouse, fails, passes, pinned, retried, runsTwice, taught, unknown } from "../../../support/house.ts";
import { manualTimer, settled } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const SOP = { sop_id: "00000000-0000-4000-8000-000000000001" };
const LIVES = [
  () => ({ events: () => [pinned(SOP), ...passes()] }),
  () => ({ events: () => [pinned(SOP), ...fails()] }),
  () => ({ events: () => [pinned(SOP), ...retried()] }),
  () => ({ events: () => [pinned(SOP), ...runsTwice()] }),
  () => ({ events: () => [pinned(SOP), ...unknown()] }),
  () => ({ events: () => [], end: "sop_not_found" as const }),
  (nth: number) => ({
    mode: "teach_if_unknown" as const,
    events: taught,
    proves: { sop_id: `00000000-0000-4000-8000-1000000000${String(nth).padStart(2, "0")}`, promoted: nth % 2 === 0 },
  }),
];

function keeperOn(store: Store, onFolded?: (score: TaskScore, before: TaskScore | null) => void) {
  const timer = manualTimer();
  const errors: object[] = [];
  const keeper = createScoreKeeper({
    store,
    brokenIn: brokenPromises,
    timer: timer.timer,
    now: () => performance.now(),
    ...(onFolded !== undefined && { onFolded }),
    log: { error: (details) => errors.push(details) },
  });
  return { keeper, timer, errors };
}

const at = (hour: number) => new Date(Date.UTC(2026, 1, 10) + hour * 3_600_000).toISOString();

describe("the score keeper", () => {
  test("folds a second after the last report, and what it folded is not read again", async () => {
    const { store, live } = createHouse(memoryStore);
    const { keeper, timer } = keeperOn(store);
    await timer.fire();
    await live({ task_id: "one", host: "a", at: at(1), events: () => [pinned(SOP), ...passes()] });
    expect(timer.pending()).toEqual([]);
    keeper.note({ events: [{ kind: "retry_granted", body: { index: 0 } }] });
    expect(timer.pending()).toEqual([]);
    keeper.note({ events: [{ kind: "verification_recorded", body: { verified: true, source: "s", note: null } }] });
    expect(timer.pending()).toEqual([1_000]);
    await timer.fire();
    expect(await store.findScore("one")).toMatchObject({ status: "ok", broken: 0, passed: true });
    expect(await store.findDuty(SCORE_DUTY)).toBe(1);
    expect(await scoresBehind(store)).toBe(0);
  });

  test("folds the same as you go, in any order of reports and verifications, and again after a rebuild", async () => {
    const life = fc.record({
      kind: fc.nat(LIVES.length - 1),
      verified: fc.option(fc.boolean(), { nil: undefined }),
      later: fc.option(fc.boolean()),
      folds: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 8 }), async (lives) => {
        const { store, live } = createHouse(memoryStore);
        const { keeper } = keeperOn(store);
        for (const [nth, { kind, verified, folds }] of lives.entries()) {
          const given = LIVES[kind]?.(nth) ?? { events: () => [] };
          await live({
            task_id: `t-${nth}`,
            host: `h-${nth % 3}`,
            at: at(nth),
            ...(verified !== undefined && { verified }),
            ...given,
          });
          if (folds) await keeper.catchUp(60_000);
        }
        for (const [nth, { later }] of lives.entries()) {
          if (later === null) continue;
          const body = { verified: later, source: "later", note: null };
          await store.commit({
            thread_id: `t-${nth}`,
            after: "last",
            events: [{ kind: "verification_recorded", body }],
          });
        }
        const all = () => Promise.all(lives.map((_life, nth) => store.findScore(`t-${nth}`)));
        await keeper.catchUp(60_000);
        const folded = await all();
        expect(folded.every((score) => score !== null)).toBe(true);
        await keeper.rebuild();
        expect(await all()).toEqual(lives.map(() => null));
        expect(await keeper.catchUp(60_000)).toBe(0);
        expect(await all()).toEqual(folded);
      }),
      { numRuns: 25 },
    );
  });

  test("gives what follows a fold no more time than its caller has", async () => {
    const { store } = createHouse(memoryStore);
    const { timer } = manualTimer();
    let now = 0;
    const left: boolean[] = [];
    const keeper = createScoreKeeper({
      store,
      brokenIn: brokenPromises,
      timer,
      now: () => now,
      log: { error: () => undefined },
      onCaughtUp: async (hasTime) => {
        left.push(hasTime());
        now += 2_000;
        left.push(hasTime());
      },
    });
    await keeper.catchUp(2_000);
    expect(left).toEqual([true, false]);
  });

  test("says each task once, of several that fold at once, and nothing of what was rebuilt elsewhere", async () => {
    const { store, live } = createHouse(memoryStore);
    const news: string[] = [];
    const keepers = [0, 1, 2].map(() => keeperOn(store, ({ task_id }) => news.push(task_id)).keeper);
    const ids = ["one", "two", "three"];
    for (const [nth, task_id] of ids.entries()) {
      await live({ task_id, host: "a", at: at(nth), events: () => [pinned(SOP), ...passes()] });
      await Promise.all(keepers.map((keeper) => keeper.catchUp(60_000)));
    }
    await keepers[0]?.rebuild();
    await Promise.all(keepers.map((keeper) => keeper.catchUp(60_000)));
    const { keeper: later } = keeperOn(store, ({ task_id }) => news.push(`${task_id} after a start`));
    await later.rebuild();
    await later.catchUp(60_000);
    expect(news).toEqual(ids);
    expect(await store.findScore("three")).toMatchObject({ status: "ok" });
  });

  test("has one server fold when it is time, where there are several", async () => {
    const { store } = createHouse(memoryStore);
    const manual = manualTimer();
    let due = 0;
    const keeper = createScoreKeeper({
      store,
      brokenIn: brokenPromises,
      timer: manual.timer,
      now: () => 0,
      log: { error: () => undefined },
      share: () => ({
        wake: () => {
          due += 1;
        },
      }),
    });
    await manual.fire();
    expect(due).toBe(1);
    keeper.note({ events: [{ kind: "verification_recorded", body: { verified: true, source: "s", note: null } }] });
    expect(manual.pending()).toEqual([1_000]);
  });

  test("counts a journal that cannot be acted on as a broken chain", async () => {
    const { store, live } = createHouse(memoryStore);
    await live({ task_id: "one", host: "a", at: at(1), events: () => [pinned(SOP), ...passes()] });
    const damaged: Store = {
      ...store,
      readJournal: async (thread_id, page) => {
        if (page === undefined) throw new OrchError("quarantined", "its chain is broken");
        return store.readJournal(thread_id, page);
      },
    };
    const { keeper } = keeperOn(damaged);
    await keeper.catchUp(60_000);
    expect(await store.findScore("one")).toMatchObject({ status: "ok", broken: 1, broken_why: "chain" });
  });

  test("tries again after a fault of the database, and does nothing after it is stopped", async () => {
    const { store, live } = createHouse(memoryStore);
    await live({ task_id: "one", host: "a", at: at(1), events: () => [], end: "sop_not_found" });
    let faults = 1;
    const failing: Store = {
      ...store,
      readScoring: (after, limit) =>
        faults-- > 0 ? Promise.reject(new OrchError("database_unusable", "full")) : store.readScoring(after, limit),
    };
    const { keeper, timer, errors } = keeperOn(failing);
    await timer.fire();
    expect(errors).toHaveLength(1);
    await timer.fire();
    await settled();
    expect(await store.findScore("one")).toMatchObject({ reason_code: "sop_not_found", handed_back: 1 });
    keeper.stop();
    keeper.note({ events: [{ kind: "verification_recorded", body: { verified: true, source: "s", note: null } }] });
    expect(timer.pending()).toEqual([]);
  });
});

test("the score of an archived task is kept when the fold begins anew, also while the archive cannot be read", async () => {
  const { store, live } = createHouse(memoryStore);
  const keeper = keeperOn(store).keeper;
  await live({ task_id: "old", host: "a", at: at(1), events: () => [pinned(SOP), ...passes()] });
  await keeper.catchUp(60_000);
  const score = await store.findScore("old");
  const journal = await store.readJournal("old");
  const last = journal.at(-1);
  // By the row alone the task would be one whose chain is broken.
  const reported = journal.find(({ kind }) => kind === "reported");
  if (reported?.kind !== "reported") throw new Error("it has ended");
  const set = { status: "ok", outcome: reported.body, ended_at: at(1) } as const;
  const commit = (thread_id: string, events: readonly NewEvent[], changes: readonly Change[] = []) =>
    store.commit({ thread_id, after: "last", events, changes });
  await commit("old", [], [{ on: "task", task_id: "old", expect: { status: ["accepted"] }, set }]);
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
  await commit("archive/f", [], [{ on: "task_archived", archived }]);
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
  const later = keeperOn(withoutArchive).keeper;
  await later.rebuild();
  await later.catchUp(60_000);
  expect(await store.findScore("old")).toEqual(score);
  const body = { verified: true, source: "later", note: null };
  await commit("old", [{ kind: "verification_recorded", body }]);
  await later.catchUp(60_000);
  expect(await store.findScore("old")).toEqual(score);
  const again = keeperOn(store).keeper;
  await commit("old", [{ kind: "verification_recorded", body }]);
  await again.catchUp(60_000);
  expect(await store.findScore("old")).toMatchObject({ external: true, broken: 0 });
});
