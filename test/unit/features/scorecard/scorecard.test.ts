// Six weeks of a house, every number computed by hand: 21 tasks of all groups, taught, known, refuted, rejected, one that ran a
// step twice. It is Wednesday of week 12, and weeks 7 to 12 are shown.
import { beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { OperationDeps } from "../../../../src/api/operations/deps.ts";
import { callOperation } from "../../../../src/api/operations/operation.ts";
import type { Verdict } from "../../../../src/domain/verification.ts";
import { brokenPromises } from "../../../../src/engine/evidence/verify/promises.ts";
import { createScoreKeeper, type ScoreKeeper } from "../../../../src/engine/worker/score-keeper.ts";
import { PROCEDURE_HANDLERS } from "../../../../src/features/procedures/operations.ts";
import { SCORECARD_HANDLERS } from "../../../../src/features/scorecard/operations.ts";
import { getScorecard } from "../../../../src/features/scorecard/shapes.ts";
import type { Store } from "../../../../src/ports.ts";
import {
  approval,
  createHouse,
  fails,
  passes,
  pinned,
  retried,
  runsTwice,
  taught,
  unknown,
} from "../../../support/house.ts";
import { manualTimer } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const id = (nth: number) => ({ sop_id: `00000000-0000-4000-8000-00000000000${nth}` });
const [A, B, C, C2] = [id(1), id(2), id(3), id(4)];
const CALLER = { token_id: "t", signal: new AbortController().signal };

const AGENT_VERDICT: Verdict = {
  passed: true,
  reason_code: "verified",
  step_index: null,
  checks: [],
  uncovered_criteria: [],
};

const house = createHouse(memoryStore);
const { store, live } = house;
let keeper: ScoreKeeper;

const keeperOf = (kept: Store) =>
  createScoreKeeper({
    store: kept,
    brokenIn: brokenPromises,
    timer: manualTimer().timer,
    now: () => performance.now(),
    log: { error: (details) => expect(details).toBeNull() },
  });

type Scorecard = z.output<typeof getScorecard.output>;

async function scorecard(input: object = {}): Promise<Scorecard> {
  house.at("2026-03-18T12:00:00.000Z");
  // Of the dependencies, those that the operation uses.
  const deps = { store, clock: house.clock, scores: keeper } as unknown as OperationDeps;
  const operation = { ...getScorecard, handle: SCORECARD_HANDLERS.get_scorecard(deps) };
  return getScorecard.output.parse(await callOperation(operation, { weeks: 6, ...input }, CALLER));
}
const target = ({ targets }: Scorecard, of: string) => targets.find((one) => one.id === of);

beforeAll(async () => {
  keeper = keeperOf(store);
  const skill = { kind: "skill_ended", body: { status: "ok", code: "moved", message: "Moved." } } as const;
  const at = (day: string, hour = 9) => `2026-${day}T${String(hour).padStart(2, "0")}:00:00.000Z`;
  const teach = { mode: "teach_if_unknown", events: taught } as const;
  // Week 7
  await live({ task_id: "a1", host: "a", at: at("02-10"), ...teach, verified: true, proves: { ...A, promoted: true } });
  await live({ task_id: "b1", host: "b", at: at("02-10", 10), ...teach, proves: { ...B, promoted: true } });
  await live({ task_id: "c1", host: "c", at: at("02-10", 11), ...teach, proves: { ...C, promoted: false } });
  await live({ task_id: "x1", host: "x", at: at("02-10", 12), events: () => [], end: "sop_not_found" });
  // Week 8
  await live({ task_id: "c2", host: "c", at: at("02-17"), ...teach, proves: { ...C2, promoted: true } });
  for (const task_id of ["a2", "a3"])
    await live({ task_id, host: "a", at: at("02-17"), verified: true, events: () => [pinned(A), ...passes()] });
  await live({ task_id: "s1", host: "s", at: at("02-17"), events: () => [[5, skill]], end: "skill_done" });
  // Week 9
  for (const [task_id, verified] of [["b2", false], ["b3", true], ["b4"], ["b5"]] as const)
    await live({
      task_id,
      host: "b",
      at: at("02-24"),
      events: () => [pinned(B), ...passes()],
      ...(verified !== undefined && { verified }),
    });
  await live({
    task_id: "g1",
    host: "g",
    at: at("02-24"),
    mode: "agent",
    verified: true,
    events: () => [[5, { kind: "verdict_reached", body: AGENT_VERDICT }]],
    end: "verified",
  });
  await keeper.catchUp(60_000);
  // Week 10
  await live({
    task_id: "a4",
    host: "a",
    at: at("03-03"),
    events: (contract) => [pinned(A), ...approval(contract, A, "approved", 5), ...passes()],
  });
  await live({
    task_id: "a5",
    host: "a",
    at: at("03-03"),
    end: "approval_rejected",
    events: (contract) => [pinned(A), ...approval(contract, A, "rejected", 60)],
  });
  await live({ task_id: "g2", host: "g", at: at("03-03"), mode: "agent", events: () => [], end: "model_unavailable" });
  // Week 11
  await live({ task_id: "b6", host: "b", at: at("03-10"), events: () => [pinned(B), ...fails()] });
  await live({ task_id: "b7", host: "b", at: at("03-10", 10), events: () => [pinned(B), ...retried()] });
  await live({ task_id: "a6", host: "a", at: at("03-10"), events: () => [pinned(A), ...runsTwice()] });
  // Week 12
  await live({ task_id: "a7", host: "a", at: at("03-17"), events: () => [pinned(A), ...passes("green")] });
  await live({ task_id: "u1", host: "a", at: at("03-17", 10), events: () => [pinned(A), ...unknown()] });
});

describe("the scorecard of six weeks", () => {
  test("counts every group by itself [8.target.R4]", async () => {
    const { groups, weeks, behind } = await scorecard();
    expect(weeks).toEqual(["2026-W07", "2026-W08", "2026-W09", "2026-W10", "2026-W11", "2026-W12"]);
    expect(behind).toBe(0);
    expect(groups.map(({ of, tasks, done, verified, refuted }) => [of, tasks, done, verified, refuted])).toEqual([
      ["all", 21, 17, 5, 1],
      ["agent", 2, 1, 1, 0],
      ["teach", 4, 4, 1, 0],
      ["known", 14, 11, 3, 1],
      ["skill", 1, 1, 0, 0],
      ["update", 0, 0, 0, 0],
    ]);
    expect(groups[0]).toMatchObject({
      done_unseen: 1,
      unverified: 11,
      broken: 1,
      handed_back: 6,
      taught: 4,
      hasty_approvals: 1,
      false_success: 1 / 6,
      intervention: 7 / 21,
      questions_per_task: 7 / 21,
      unknown: { succeeded: 1, failed: 0, retry: 0, open: 0 },
      // Five questions of a minute, approvals of 5 s and of a minute.
      wait_per_question_ms: 365_000 / 7,
      by_week: [1 / 3, 2 / 4, 2 / 5, 0, 0, 0],
    });
    expect(groups[0]?.gate.errors).toEqual({ asked: 1, fallback: 0, right: 1, wrong: 0 });
  });

  test("reports the verified ratio: missed where a false success cannot be made good [8.target.T1]", async () => {
    const found = target(await scorecard(), "T1");
    expect(found).toMatchObject({ state: "missed", value: 5 / 17 });
    expect(found?.worst[0]).toMatchObject({ about: 'restart on "host=b" v1', count: 1, operation: "update_sop" });
    expect(found?.message).toContain(
      "5 of 17 DONE verified (29.4 %), 1 refuted, 11 not verified; 1 with checks never seen",
    );
  });

  test("reports broken promises: a step that ran twice without a licence [8.target.T2]", async () => {
    const found = target(await scorecard(), "T2");
    expect(found).toMatchObject({ state: "missed", value: 1 });
    expect(found?.worst).toMatchObject([{ about: 'once: restart on "host=a"', count: 1, operation: "get_evidence" }]);
  });

  test("reports the taught group by verified success: 1 of 4, and the others may still be found right [8.target.T3]", async () => {
    const found = target(await scorecard(), "T3");
    expect(found).toMatchObject({ state: "unproven", value: 0.25, upper: 1 });
    expect(found?.lower).toBeCloseTo(0.0579, 3);
    expect(found?.message).toContain("1 of 4 verified, 4 DONE, 0 of them refuted");
  });

  test("compares the delegated share of the last full week with the one before [8.target.T4]", async () => {
    expect(target(await scorecard(), "T4")).toMatchObject({ state: "met", value: 1 });
    expect(target(await scorecard(), "T4")?.message).toContain("3 of 3 carried to their end in 2026-W11");
  });

  test("reports new procedures in new areas: two of four [8.target.T5]", async () => {
    const found = target(await scorecard(), "T5");
    expect(found).toMatchObject({ state: "unproven", value: 0.5 });
    expect(found?.lower).toBeCloseTo(0.182, 2);
  });

  test("reports fewer questions per task: 3 in 15 after 3 in 4 [8.target.T6]", async () => {
    const found = target(await scorecard(), "T6");
    expect(found?.state, "of so few its bound proves nothing").toBe("unproven");
    expect(found?.value).toBeCloseTo(1 - 3 / 15 / (3 / 4), 10);
  });

  test("judges by verified success, and has no DONE without the verified part beside it [8.target.R1]", async () => {
    const { groups, rows } = await scorecard();
    expect(groups[0]).toMatchObject({ done: 17, verified: 5, refuted: 1, unverified: 11, false_success: 1 / 6 });
    expect([groups[0]?.lower, groups[0]?.upper]).toEqual([expect.closeTo(0.4975, 3), expect.closeTo(0.9619, 3)]);
    for (const { done, verified, refuted, unverified } of [...groups, ...rows])
      expect(verified + refuted + unverified).toBe(done);
  });

  test("names of each missed target what to correct before a model is changed [8.target.R2]", async () => {
    const { targets } = await scorecard();
    const missed = targets.filter(({ state }) => state === "missed");
    expect(missed.map(({ id, worst: [first] }) => [id, first?.about, first?.operation])).toEqual([
      ["T1", 'restart on "host=b" v1', "update_sop"],
      ["T2", 'once: restart on "host=a"', "get_evidence"],
    ]);
  });

  test("lists what was never looked at from outside, most first [8.target.R3]", async () => {
    const { debt } = await scorecard();
    expect(debt[0]).toEqual({ about: "restart|host=a v1", ...A, unverified: 4, oldest_week: "2026-W10" });
    expect(debt[1]).toEqual({ about: "restart|host=b v1", ...B, unverified: 3, oldest_week: "2026-W09" });
  });

  test("reports how procedures grow, and names what was taught again [8.target.R5]", async () => {
    const found = await scorecard();
    expect(target(found, "T5")?.message).toContain("2 procedures became active for 4 tasks without one");
    expect(found.groups[0]?.taught).toBe(4);
    expect(found.repeated).toEqual([{ about: "restart|host=c", taught: 2, turned_down: 1 }]);
    expect(found.sops).toEqual({ active: 3, candidates: 0, oldest_candidate_at: null });
    expect(found.same_steps).toEqual([{ intent: "restart", targets: ["host=a", "host=b", "host=c"] }]);
  });

  test("reports the routing model's answers and its fallbacks [8.target.R6]", async () => {
    const { groups, rows } = await scorecard();
    const answers = { asked: 1, fallback: 0, right: 1, wrong: 0 };
    expect(groups[0]?.gate.errors).toEqual(answers);
    expect(rows.find(({ of }) => of === "2026-W11")?.gate.errors).toEqual(answers);
  });

  test("has rows by version with most at stake first, and filters", async () => {
    const { rows } = await scorecard({ by: "sop" });
    const shown = rows.map((row) => [row.sop_id, row.tasks, row.done, row.refuted, row.unverified]);
    expect(shown).toEqual([
      [B.sop_id, 6, 5, 1, 3],
      [null, 8, 6, 0, 4],
      [A.sop_id, 7, 6, 0, 4],
    ]);
    expect((await scorecard({ group: "agent" })).groups[0]?.tasks).toBe(2);
    expect((await scorecard({ sop_id: B.sop_id, by: "group" })).rows[0]?.tasks).toBe(6);
  });

  test("has the record of a version in get_sop", async () => {
    // Of the dependencies, those that the operation uses.
    const { record } = await PROCEDURE_HANDLERS.get_sop({ store } as unknown as OperationDeps)(
      { sop_id: B.sop_id },
      CALLER,
    );
    expect(record).toMatchObject({ runs: 6, passed: 5, streak: 0, done: 5, verified: 1, refuted: 1, mark: "refuted" });
  });

  test("is the same when everything is deleted and counted again", async () => {
    const before = await scorecard({ by: "target" });
    await keeper.rebuild();
    expect(await store.findScore("a1")).toBeNull();
    expect(await scorecard({ by: "target" })).toEqual(before);
  });
});
