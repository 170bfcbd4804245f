import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wilson } from "../../../../src/domain/scorecard/arithmetic.ts";

describe("Wilson's bounds", () => {
  // One-sided at 95 %, z = 1.645: computed from the published formula.
  test.each([
    [0, 1, 0, 0.7302],
    [1, 2, 0.1208, 0.8792],
    [2, 3, 0.2535, 0.9214],
    [3, 4, 0.3561, 0.942],
    [4, 5, 0.4353, 0.9543],
    [0, 3, 0, 0.4742],
    [6, 20, 0.1637, 0.4844],
    [52, 52, 0.9505, 1],
    [51, 51, 0.9496, 1],
  ])("are, for %i in %i, %d and %d", (good, all, lower, upper) => {
    expect(wilson(good, all).lower).toBeCloseTo(lower, 2);
    expect(wilson(good, all).upper).toBeCloseTo(upper, 2);
  });

  test("are everything where nothing was counted", () => {
    expect(wilson(0, 0)).toEqual({ lower: 0, upper: 1 });
  });

  const cases = fc
    .integer({ min: 1, max: 5_000 })
    .chain((all) => fc.tuple(fc.integer({ min: 0, max: all }), fc.constant(all)));

  test("lie in order around the ratio, and rise with each success", () => {
    fc.assert(
      fc.property(cases, ([good, all]) => {
        const { lower, upper } = wilson(good, all);
        const ratio = good / all;
        expect(lower >= 0 && lower <= ratio + 1e-12 && ratio - 1e-12 <= upper && upper <= 1).toBe(true);
        if (good === all) return;
        const better = wilson(good + 1, all);
        expect(better.lower > lower && better.upper >= upper).toBe(true);
      }),
    );
  });
});
