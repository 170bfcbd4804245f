// What the code of a skill sends is parsed in a time that follows from how many values it holds.
import { describe, expect, test } from "vitest";
import { parseWithin, valuesWithin } from "../../../../../src/features/skills/process/serve-context.ts";
import { cpuTimeOf } from "../../../../support/cpu-time.ts";

describe("a text is parsed", () => {
  test.each(['"[[[[,,,,{{{{"', '"a \\"[[[[[[\\\\"', "[1,2]", '{"a":{"b":[]}}', "[[[[]],[]]]"])(
    "when it holds few: %s",
    (text) => {
      expect(parseWithin(text, valuesWithin(6))).toEqual(JSON.parse(text));
    },
  );

  test("however long its texts are, with what looks like values in them", () => {
    const lines = JSON.stringify(["a,b,[c],{d}\n".repeat(500_000)]);
    expect(valuesWithin(1)(lines)).toBe(null);
  });
});

describe("a text is refused", () => {
  test.each(["[[],[],[],[]]", "[1,2,3,4,5,6,7]", '["\\\\",[],[],[]]', '{"a":1,"b":[],"c":[],"d":1,"e":1}'])(
    "when it holds too many: %s",
    (text) => {
      expect(valuesWithin(6)(text)).toContain("it holds more than 6 values");
      expect(() => parseWithin(text, valuesWithin(6))).toThrow("it holds more than 6 values");
    },
  );

  test("when it holds too many together with those before it", () => {
    const obstacleTo = valuesWithin(5);
    expect(["[1,2]", "[3,4]", "[5,6]"].map(obstacleTo)).toEqual([
      null,
      null,
      expect.stringContaining("more than 5 values"),
    ]);
  });

  test("when it is nested too deep", () => {
    expect(valuesWithin(200_000)("[".repeat(101) + "]".repeat(101))).toContain("nested deeper than 100 levels");
  });

  test.each(["[", "[],", '{"a":', "{},", '{"":[]},', "1,"])(
    "without the time that 24 MB of it take to parse: %s",
    (part) => {
      const text = part.repeat(24e6 / part.length);
      expect(cpuTimeOf(() => void valuesWithin(200_000)(text))).toBeLessThan(500);
    },
  );
});
