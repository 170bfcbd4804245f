import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { structuralIssue } from "../../../src/domain/json.ts";
import { tooDeepAt } from "../../../src/http/body.ts";

describe("the path at which a text nests too deep", () => {
  test.each([
    ["[[[1]]]", 2, "0.0"],
    ["[[[1]]]", 3, null],
    ['{"a":{"b":[]}}', 2, "a.b"],
    ['{"a":1,"b":[0,{"c":1},[{}]]}', 3, "b.2.0"],
    ['{"a":[[1],[2]],"b":{"c":{}}}', 2, "a.0"],
    ['{"a" : "x" , "b"\n:\t[ ] }', 1, "b"],
    ["1", 0, null],
    ["[]", 0, ""],
  ])("%s beyond %i levels: %j", (text, levels, path) => {
    expect(tooDeepAt(text, levels)).toBe(path);
  });

  test.each(['["[[[["]', '["\\"[[[["]', '["\\\\","[[[["]', '{"[[[":"{{{"}', '["\\\\\\"[[[", 1]'])(
    "brackets inside of strings do not nest: %s",
    (text) => {
      expect(() => JSON.parse(text)).not.toThrow();
      expect(tooDeepAt(text, 1)).toBeNull();
    },
  );

  test("is found for any JSON whose parsed value is nested too deep", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 5 }), (text, levels) => {
        const issue = structuralIssue(JSON.parse(text), levels);
        fc.pre(issue === null || issue.message.startsWith("is nested"));
        expect(tooDeepAt(text, levels) !== null).toBe(issue !== null);
      }),
      { numRuns: 500 },
    );
  });

  test("is computed without an error for text that is not JSON", () => {
    const marks = fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "a", " ");
    fc.assert(
      fc.property(fc.string({ unit: marks, maxLength: 40 }), (text) => {
        expect(["string", "object"]).toContain(typeof tooDeepAt(text, 3));
      }),
    );
  });

  test.each([
    ["brackets", "[".repeat(1_000_000)],
    ["backslashes", `["${"\\".repeat(1_000_000)}`],
    ["quotes after a backslash", `["${'\\"'.repeat(500_000)}`],
    ["colons and commas", `[${":,".repeat(500_000)}`],
  ])("a million characters of %s take less than a second", (_title, text) => {
    const begun = performance.now();
    tooDeepAt(text, 32);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
