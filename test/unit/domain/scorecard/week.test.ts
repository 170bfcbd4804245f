import { describe, expect, test } from "vitest";
import { weekOf, weeksUntil } from "../../../../src/domain/scorecard/arithmetic.ts";

describe("a week of ISO 8601", () => {
  test.each([
    ["2026-01-01T00:00:00.000Z", "2026-W01"],
    ["2025-12-29T00:00:00.000Z", "2026-W01"],
    ["2025-12-28T23:59:59.999Z", "2025-W52"],
    ["2027-01-03T12:00:00.000Z", "2026-W53"],
    ["2027-01-04T00:00:00.000Z", "2027-W01"],
    ["2024-02-29T00:00:00.000Z", "2024-W09"],
  ])("at %s is %s", (at, week) => {
    expect(weekOf(at)).toBe(week);
  });

  test("is followed by the next one across the end of a year of 53", () => {
    expect(weeksUntil(new Date("2027-01-05T00:00:00.000Z"), 3)).toEqual(["2026-W52", "2026-W53", "2027-W01"]);
  });
});
