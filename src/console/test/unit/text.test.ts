// Pure parts of the console.
import { describe, expect, test } from "vitest";
import { byteCount, count, duration, relativeTime, shortDigest } from "../../parts/text.ts";

const NOW = Date.parse("2026-03-06T09:00:00Z");

describe("times as people read them", () => {
  test.each([
    ["2026-03-06T08:57:00Z", "3 min. ago"],
    ["2026-03-06T11:30:00Z", "in 2 hr."],
    ["2026-03-05T08:00:00Z", "yesterday"],
    ["2026-03-06T08:59:30Z", "just now"],
    ["2026-03-06T09:00:40Z", "in less than a minute"],
  ])("%s is %s", (at, text) => {
    expect(relativeTime(at, NOW)).toBe(text);
  });

  test.each([
    [340, "340 ms"],
    [12_400, "12.4 s"],
    [200_000, "3 min 20 s"],
    [7_500_000, "2 h 5 min"],
  ])("%d milliseconds are %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

test("one step is no plural, and no steps are", () => {
  expect([count(1, "step"), count(0, "step"), count(2, "entry", "entries")]).toEqual([
    "1 step",
    "0 steps",
    "2 entries",
  ]);
});

test("sizes are given in the largest unit of which there is one", () => {
  expect([byteCount(512), byteCount(2_048), byteCount(5_242_880)]).toEqual(["512 B", "2.0 KiB", "5.0 MiB"]);
});

test("a digest is shown by its beginning, without the name of its algorithm", () => {
  expect(shortDigest("sha256:40d8291486b659211a29")).toBe("40d8291486b6");
});
