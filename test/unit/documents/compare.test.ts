import { describe, expect, test } from "vitest";
import { compare, type Ids, withIds } from "../../support/documents/compare.ts";

const NONE: Ids = new Map();
const SHOWN = "767864ad-89c7-4ef5-982d-cf965c4c3139";
const PRINTED = "61fbfc0a-00e6-4a7b-acf3-90c89d38fb85";
const OTHER = "98b9c98a-4c95-4cfd-9bb4-fb7e816dc0e4";

describe("what a page shows", () => {
  test.each([
    ["the same text", "web-7  DONE", "web-7  DONE\n"],
    ["columns of another width", "0  cmd    passed", "0    cmd passed"],
    [
      "other times",
      "accepted  2026-11-27T07:38:11.978Z, 41 ms, 07:44:18, for 0s",
      "accepted  2027-01-01T00:00:00.000Z, 2.5 s, 23:00:00, for 3m",
    ],
    ["another digest", `last hash ${"4a".repeat(32)}`, `last hash ${"f0".repeat(32)}`],
    ["anything in the place of an ellipsis", "why  No … one. (sop_unknown)", 'why  No "x"; teach one. (sop_unknown)'],
    ["any lines in the place of an ellipsis alone", "a\n…\nd", "a\nb\nc\nd"],
    ["no line in the place of an ellipsis alone", "a\n…", "a"],
  ])("matches %s", (_title, expected, actual) => {
    expect(compare(expected, actual, NONE)).not.toBeNull();
  });

  test.each([
    ["another word", "web-7  DONE", "web-7  FAILED"],
    ["a line less", "a\nb", "a"],
    ["a line more", "a", "a\nb"],
    ["no time where one is shown", "ended 2026-11-27", "ended never"],
    ["a character of a pattern", "a.b", "axb"],
  ])("does not match %s", (_title, expected, actual) => {
    expect(compare(expected, actual, NONE)).toBeNull();
  });

  test("names an id by which the later commands of the page mean the one that was printed", () => {
    const ids = compare(`orch approve ${SHOWN} --by NAME`, `orch approve ${PRINTED} --by NAME`, NONE) ?? NONE;
    expect(withIds(`orch approve ${SHOWN}; orch sop show 767864ad`, ids)).toBe(
      `orch approve ${PRINTED}; orch sop show 61fbfc0a`,
    );
    expect(compare(SHOWN, PRINTED, ids)).not.toBeNull();
    expect(compare(SHOWN, OTHER, ids), "the same id is another one later").toBeNull();
  });
});
