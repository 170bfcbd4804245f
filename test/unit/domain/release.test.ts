import { describe, expect, test } from "vitest";
import metadata from "../../../package.json" with { type: "json" };
import { isEarlier, lineOf, RELEASE_LINES, skippedLine } from "../../../src/domain/release.ts";

test("the last line that is listed is that of this version", () => {
  expect(RELEASE_LINES.at(-1)).toBe(lineOf(metadata.version));
  expect(new Set(RELEASE_LINES).size).toBe(RELEASE_LINES.length);
});

test.each([
  ["0.1.0", "0.1"],
  ["0.12.3", "0.12"],
  ["1.4.0", "1"],
  ["12.0.0-rc.1", "12"],
])("%s is of the line %s", (version, line) => {
  expect(lineOf(version)).toBe(line);
});

describe("a release", () => {
  const LINES = ["0.1", "0.2", "0.10", "1", "2", "3"];
  test.each([
    ["0.1.0", "0.1.9", null],
    ["0.1.0", "0.2.0", null],
    ["0.1.9", "0.10.0", "0.2"],
    ["0.10.4", "1.0.0", null],
    ["0.2.0", "1.0.0", "0.10"],
    ["0.1.0", "2.0.0", "0.2"],
    ["1.9.0", "2.0.0-rc.1", null],
    ["1.0.0", "3.1.0", "2"],
    // An older one, which other rules judge.
    ["3.0.0", "1.0.0", null],
    // From before releases were on record, and a damaged record.
    [null, "0.2.0", null],
    [null, "0.10.0", "0.2"],
    ["a.b.c", "0.10.0", "0.2"],
  ])("after %s, as %s, has to come after the line %s", (found, version, line) => {
    expect(skippedLine(found, { version, lines: LINES })).toBe(line);
  });

  test("skips nothing where no line is between", () => {
    expect(skippedLine("0.1.0", { version: "4.0.0", lines: ["0.1", "4"] })).toBeNull();
  });

  test.each([
    [null, "0.1.0", true],
    ["0.1.0", "0.1.0", false],
    ["0.1.9", "0.1.10", true],
    ["1.0.0", "0.9.0", false],
  ])("on record as %s is an earlier one than %s: %s", (found, version, expected) => {
    expect(isEarlier(found, version)).toBe(expected);
  });
});
