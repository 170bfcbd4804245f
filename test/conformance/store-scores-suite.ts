// How a Store keeps what is folded from the journal for the scorecard.
import { beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import { NOTHING } from "../../src/domain/scorecard/counts.ts";
import type { TaskScore } from "../../src/domain/scorecard/task-score.ts";
import type { Store } from "../../src/ports.ts";
import { aScore, type CreateStore, finished, reported, started } from "./store-records.ts";

const PARTS = [
  "broken_why",
  "cohort",
  "intent",
  "reason_code",
  "sop_id",
  "sop_version",
  "status",
  "target_signature",
  "week",
];
const KEYS = [...PARTS, ...Object.keys(NOTHING)].sort();
const VERIFIED = { kind: "verification_recorded", body: { verified: true, source: "a look", note: null } } as const;

export function scoresSuite(create: CreateStore): void {
  describe("scores", () => {
    let store: Store;
    beforeEach(async () => {
      store = await create();
    });
    const write = (...changes: Change[]) => store.commit({ thread_id: "score", after: "last", events: [], changes });
    const score = (...scores: TaskScore[]) =>
      write(...scores.map((one): Change => ({ on: "task_scored", score: one })));

    test("replace the earlier one of their task, until all are deleted", async () => {
      expect(await store.findScore("task-1")).toBeNull();
      await score(aScore());
      await score(aScore({ external: false, refuted: 1 }));
      expect(await store.findScore("task-1")).toEqual(aScore({ external: false, refuted: 1 }));
      await write({ on: "scores_deleted" });
      expect(await store.findScore("task-1")).toBeNull();
    });

    test("come newest first for a version, and no more than asked for", async () => {
      const ended = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
      const of_one = [1, 2, 3].map((day) => aScore({ task_id: `t-${day}`, sop_id: "one", ended_at: ended(day) }));
      const looked_up = aScore({ task_id: "t-0", sop_id: "one", ended_at: ended(1), external: false, refuted: 1 });
      await score(...of_one, looked_up, aScore({ task_id: "t-9", sop_id: "two", external: true }));
      expect(await store.scoresOfSop("one", 2)).toEqual([of_one[2], of_one[1]]);
      expect(await store.scoresOfSop("one", 2, "verified"), "only those with an external verification").toEqual([
        looked_up,
      ]);
      expect(await store.scoresOfSop("three", 2)).toEqual([]);
      const many = Array.from({ length: 600 }, (_, nth) => `none-${nth}`);
      const runs = await store.readRuns(["three", ...many, "two", "one"], 2);
      const days = (sop_id: string) => runs.get(sop_id)?.map(({ ended_at }) => ended_at.slice(0, 10));
      expect([days("one"), days("two"), days("three")], "of many versions").toEqual([
        ["2026-03-03", "2026-03-02"],
        [aScore().ended_at.slice(0, 10)],
        [],
      ]);
      expect(runs.get("one")?.[0]).toEqual((await store.readRuns(["one"], 9)).get("one")?.[0]);
      const { passed, done, done_unseen, verified, refuted, ended_at } = aScore({ ended_at: ended(3) });
      expect(runs.get("one")?.[0]).toEqual({ passed, ended_at, done, done_unseen, verified, refuted });
    });

    test("are added up from a week on, apart where any part of their key differs, and only those that fit", async () => {
      const one = (task_id: string, week: string, changes: Partial<TaskScore> = {}) =>
        aScore({ task_id, week, sop_id: "one", ...changes });
      await score(
        one("a", "2026-W09"),
        one("b", "2026-W10", { active_ms: 7.5, retries: 2 }),
        one("c", "2026-W10"),
        one("d", "2026-W10", { cohort: "agent" }),
        one("e", "2026-W11", { sop_id: null }),
      );
      const of = (tallies: Awaited<ReturnType<Store["readTallies"]>>) =>
        tallies
          .map(({ week, cohort, sop_id, tasks, active_ms, retries }) =>
            [week, cohort, sop_id, tasks, active_ms, retries].join(" "),
          )
          .sort();
      expect(of(await store.readTallies({ from: "2026-W10" }))).toEqual([
        "2026-W10 agent one 1 1200 0",
        "2026-W10 known one 2 1207.5 2",
        "2026-W11 known  1 1200 0",
      ]);
      const known = await store.readTallies({ from: "2026-W01", cohort: "known", sop_id: "one" });
      expect(of(known)).toEqual(["2026-W09 known one 1 1200 0", "2026-W10 known one 2 1207.5 2"]);
      expect(Object.keys(known[0] ?? {}).sort()).toEqual(KEYS);
      expect(await store.readTallies({ from: "2026-W10", intent: "deploy" })).toEqual([]);
    });

    test("are counted by how long their tasks took", async () => {
      const took = (task_id: string, took_rank: number, sop_id: string | null) =>
        aScore({ task_id, took_rank, sop_id });
      await score(took("a", 80, "one"), took("b", 80, "one"), took("c", 90, "one"), took("d", 80, null));
      const by = await store.readTook({ from: "2026-W01" }, "sop_id");
      expect(by.sort((a, b) => a.rank - b.rank || a.tasks - b.tasks)).toEqual([
        { of: null, rank: 80, tasks: 1 },
        { of: "one", rank: 80, tasks: 2 },
        { of: "one", rank: 90, tasks: 1 },
      ]);
    });

    test("know the first week of each target", async () => {
      const at = (week: string, target_signature: string) => aScore({ task_id: week, week, target_signature });
      await score(at("2026-W03", "host=a"), at("2026-W02", "host=b"), at("2026-W01", "host=a"));
      expect(Object.fromEntries(await store.firstWeeks())).toEqual({ "host=a": "2026-W01", "host=b": "2026-W02" });
    });

    test("are due for the threads that reported or were verified, in order, after a cursor", async () => {
      await store.commit({ thread_id: "one", after: null, events: [started(), finished(), reported()] });
      await store.commit({ thread_id: "two", after: null, events: [started()] });
      await store.commit({ thread_id: "one", after: "last", events: [VERIFIED] });
      await store.commit({ thread_id: "two", after: "last", events: [reported()] });
      const due = await store.readScoring(0, 9);
      expect(due.map(({ thread_id }) => thread_id)).toEqual(["one", "one", "two"]);
      const [first] = await store.readScoring(0, 1);
      expect(await store.readScoring(first?.cursor ?? 0, 9)).toEqual(due.slice(1));
    });

    test("are folded up to a cursor that is kept, 0 at first", async () => {
      expect(await store.findDuty("score")).toBe(0);
      await write({ on: "duty_done", name: "score", cursor: 7 });
      await write({ on: "duty_done", name: "score", cursor: 9 });
      expect(await store.findDuty("score")).toBe(9);
    });

    test("are folded from a cursor by one of those that go on from it", async () => {
      const from = (expect: number, cursor: number) =>
        ({ on: "duty_done", name: "score", cursor, expect }) as const satisfies Change;
      const both = await Promise.all([write(from(0, 7)), write(from(0, 8))]);
      expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
      const first = await store.findDuty("score");
      expect((await write({ on: "task_scored", score: aScore() }, from(0, 9))).ok).toBe(false);
      expect(await store.findScore("task-1"), "nothing else of the refused fold is written").toBeNull();
      expect((await write(from(first, 9))).ok).toBe(true);
      expect(await store.findDuty("score")).toBe(9);
    });

    test("are not skipped when several commits become due at once", async () => {
      const threads = Array.from({ length: 60 }, (_, nth) => `thread-${nth}`);
      for (const thread_id of threads) await store.commit({ thread_id, after: null, events: [started()] });
      const seen = new Set<string>();
      let cursor = 0;
      let writing = true;
      const writes = Promise.all(
        threads.map((thread_id, nth) => {
          // Between its event and its end a commit does more or less, so that they overtake one another.
          const changes = Array.from({ length: nth % 7 }, (_, at) => ({
            on: "duty_done" as const,
            name: `${thread_id} ${at}`,
            cursor: at,
          }));
          return store.commit({ thread_id, after: "last", events: [VERIFIED], changes });
        }),
      ).finally(() => {
        writing = false;
      });
      for (let is_last = false; !is_last; ) {
        is_last = !writing;
        for (const due of await store.readScoring(cursor, 3)) {
          seen.add(due.thread_id);
          cursor = due.cursor;
          is_last = false;
        }
      }
      await writes;
      expect([...seen].sort()).toEqual([...threads].sort());
    });
  });
}
