import { describe, expect, test } from "vitest";
import { coverCriteria } from "../../../src/domain/sop.ts";
import { check, cmd } from "../../support/builders.ts";

describe("success criteria are covered by check steps", () => {
  const steps = [cmd("make"), check("a"), cmd("up"), check("b")];

  test("in order, the n-th criterion by the n-th check", () => {
    expect(coverCriteria(["built", "running"], steps)).toEqual({
      criteria: [
        { criterion: "built", step_index: 1 },
        { criterion: "running", step_index: 3 },
      ],
      issues: [],
    });
  });

  test("by an explicit map", () => {
    expect(coverCriteria(["built", "running"], steps, { built: 3, running: 1 }).issues).toEqual([]);
  });

  test("while each one left uncovered is named [4.teach]", () => {
    const { issues } = coverCriteria(["built", "running", "fast"], steps);
    expect(issues).toEqual([
      { path: "steps", message: 'success criterion "fast" has no check step; add one, or map it in criteria' },
    ]);
  });

  test.each([
    [{ built: 0, running: 3 }, 'success criterion "built" is mapped to step 0, which is not a check step'],
    [
      { built: 1, running: 1 },
      'success criterion "running" is mapped to step 1, which already proves another criterion',
    ],
    [{ built: 1 }, 'success criterion "running" has no check step; add one, or map it in criteria'],
    [{ built: 1, running: 3, other: 1 }, '"other" is not a success criterion of the task'],
  ])("a map like %j is refused", (map, message) => {
    expect(coverCriteria(["built", "running"], steps, map).issues).toContainEqual({ path: "criteria", message });
  });

  test("steps without any check cannot be taught, even for no criterion", () => {
    expect(coverCriteria([], [cmd("make")]).issues).toHaveLength(1);
  });

  test("a criterion called __proto__ is only text", () => {
    expect(coverCriteria(["__proto__"], steps).criteria).toEqual([{ criterion: "__proto__", step_index: 1 }]);
  });
});
