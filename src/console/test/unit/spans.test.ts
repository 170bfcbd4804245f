// What of a part has been in view.
import { expect, test } from "vitest";
import { add, covers } from "../../pages/approval/use-seen.ts";

test("spans that touch or overlap become one, and others stay apart", () => {
  const apart = add(add([], [0, 100]), [300, 400]);
  expect(apart).toEqual([
    [0, 100],
    [300, 400],
  ]);
  expect(add(apart, [100, 300])).toEqual([[0, 400]]);
  expect(add(apart, [50, 120])).toEqual([
    [0, 120],
    [300, 400],
  ]);
});

test("both ends alone do not cover what is between them", () => {
  const ends = add(add([], [0, 100]), [900, 1_000]);
  expect(covers(ends, [24, 976])).toBe(false);
  expect(covers(add(ends, [90, 910]), [24, 976])).toBe(true);
});
