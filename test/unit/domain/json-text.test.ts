import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { structuralIssue } from "../../../src/domain/json.ts";
import { doubledField, jsonTextIssue, parseStrictJson } from "../../../src/domain/json-values.ts";
import { cpuTimeOf } from "../../support/cpu-time.ts";

const tooDeepAt = (text: string, levels: number): string | null => {
  const issue = jsonTextIssue(text, levels);
  return issue?.message.startsWith("is nested") === true ? issue.path : null;
};

describe("a text that is read strictly", () => {
  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"\\u0061":2}', "\\u0061"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['[{"a":1},{"b":{"c":1,"d":2,"c":3}}]', "1.b.c"],
    ['{"a":1,"b":{"a":1}}', null],
    ['{"a":"\\"a\\":1","b":2}', null],
    ['[{"a":1},{"a":1}]', null],
    ["12345678901234567890", null],
  ])("%s has the doubled field %j", (text, path) => {
    expect(doubledField(text)).toBe(path);
    expect(parseStrictJson(text)).toEqual(path === null ? JSON.parse(text) : undefined);
  });

  test.each(["", "{", "{'a':1}", '{"a":1}x'])("is none where it is not JSON: %j", (text) =>
    expect(parseStrictJson(text)).toBeUndefined(),
  );
});

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
        expect(() => jsonTextIssue(text, 3)).not.toThrow();
      }),
    );
  });

  test.each([
    ["brackets", "[".repeat(1_000_000)],
    ["backslashes", `["${"\\".repeat(1_000_000)}`],
    ["quotes after a backslash", `["${'\\"'.repeat(500_000)}`],
    ["colons and commas", `[${":,".repeat(500_000)}`],
    ["digits", `[${"1".repeat(1_000_000)}`],
    ["minus signs", `[${"-".repeat(1_000_000)}`],
  ])("a million characters of %s take less than a second of the processor", (_title, text) => {
    expect(cpuTimeOf(() => void tooDeepAt(text, 32))).toBeLessThan(1_000);
  });
});

describe("a field that is there twice", () => {
  test.each([
    ['{"a": 1, "b": {"c": 1}, "a": 1}', "a"],
    ['[{"a": {"b\\"": ":", "b\\u0022": 1}}]', "0.a.b\\u0022"],
    ['{"a":[{"b":1},{"b":1}],"b":{"a":1}}', null],
    ['["a","a",{"x":"a"},{"x":"a"}]', null],
  ])("%s: %j", (text, path) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(jsonTextIssue(text, 9)?.path ?? null).toBe(path);
  });
});

describe("a number that becomes another one", () => {
  test.each([
    "1e400",
    "-1e999",
    "1e-400",
    "-0.5e-999",
    "9007199254740993.0",
    "1152921504606846977",
    "[0, 9007199254740993]",
    '{"a":{"b":-9007199254740993}}',
  ])("%s is a fault", (text) => {
    expect(jsonTextIssue(text, 9)?.message).toContain("send it as text");
  });

  test.each([
    "0",
    "-0",
    "0.00",
    "0e9",
    "1e-300",
    "1.10",
    "0.1",
    "1e5",
    "1E-7",
    "9007199254740992",
    "3.141592653589793238",
    "[1,-2,3]",
  ])("%s is none", (text) => {
    expect(jsonTextIssue(text, 9)).toBeNull();
  });

  test("is found with its path, and text that looks like one is none", () => {
    expect(jsonTextIssue('{"payload":{"ids":["1e400",1e400]}}', 9)?.path).toBe("payload.ids.1");
    expect(jsonTextIssue('{"1e400":"1152921504606846977"}', 9)).toBeNull();
  });
});
