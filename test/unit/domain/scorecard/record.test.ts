import { describe, expect, test } from "vitest";
import { percentile, tookRank } from "../../../../src/domain/scorecard/arithmetic.ts";
import { recordOf } from "../../../../src/domain/scorecard/record.ts";

const run = (passed: boolean | null, verified: boolean | null = null) => ({
  passed,
  ended_at: "2026-03-06T09:00:00.000Z",
  done: passed === true ? 1 : 0,
  done_unseen: 0,
  verified: verified === true ? 1 : 0,
  refuted: verified === false ? 1 : 0,
});
const many = (count: number, one: ReturnType<typeof run>) => Array.from({ length: count }, () => one);

describe("the record of a version", () => {
  test("counts runs that tried the procedure, and failures since the last that passed", () => {
    const scores = [run(null), run(false), run(false), run(true), run(false)];
    expect(recordOf(scores)).toMatchObject({ runs: 4, passed: 1, streak: 2, done: 1, mark: "unproven" });
    expect(recordOf(many(3, run(false)))).toMatchObject({ runs: 3, passed: 0, streak: 3 });
    expect(recordOf([])).toMatchObject({ runs: 0, streak: 0, lower: 0, upper: 1, since: null });
  });

  test.each([
    ["proven from 52 verified of 52 on", many(52, run(true, true)), "proven"],
    ["unproven with 51 of 51", many(51, run(true, true)), "unproven"],
    ["refuted by the first refutation", [run(true, false)], "refuted"],
    [
      "unproven where four verifications oppose a refutation",
      [run(true, false), ...many(4, run(true, true))],
      "unproven",
    ],
    ["refuted where three do", [run(true, false), ...many(3, run(true, true))], "refuted"],
  ])("is %s", (_title, scores, mark) => {
    expect(recordOf(scores).mark).toBe(mark);
  });
});

describe("a percentile of times", () => {
  test("is good to a twentieth, and unknown without tasks", () => {
    const took = [1_000, 2_000, 3_000, 600_000].map((ms) => ({ rank: tookRank(ms), tasks: 1 }));
    expect(Math.abs((percentile(took, 0.5) ?? 0) / 2_000 - 1)).toBeLessThan(0.05);
    expect(Math.abs((percentile(took, 0.95) ?? 0) / 600_000 - 1)).toBeLessThan(0.05);
    expect(percentile([], 0.5)).toBeNull();
  });
});
