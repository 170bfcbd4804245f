import { describe, expect, test } from "vitest";
import { structuralIssue } from "../../../src/domain/json.ts";

describe("JSON from outside", () => {
  test("may be nested 31 levels deep and not 33", () => {
    const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));
    expect(structuralIssue(nested(32))).toBeNull();
    expect(structuralIssue(nested(33))).toMatchObject({ message: expect.stringContaining("deeper than 32") });
  });

  test("with 100,000 levels is refused without exhausting the stack", () => {
    expect(structuralIssue(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)))).not.toBeNull();
  });

  test.each(["__proto__", "constructor", "prototype"])("must not use the key %s", (key) => {
    expect(structuralIssue(JSON.parse(`{"a":[{"${key}":1}]}`))).toEqual({
      path: `a.0.${key}`,
      message: "is a reserved key; rename it",
    });
  });
});
