// How the figures of the scorecard read, and what is read from the names that it lists.
import { describe, expect, test } from "vitest";
import { ScoreTarget } from "../../../domain/scorecard/targets.ts";
import { changeText, figureOf, intervalText, procedureIn, TARGET_TEXTS } from "../../pages/scorecard/target-card.tsx";

describe("the text of a target", () => {
  test("is there for every target that the server names", () => {
    expect(Object.keys(TARGET_TEXTS)).toEqual(ScoreTarget.shape.id.options);
  });

  test.each([
    ["T1", 0.8333, "83.3 %"],
    ["T2", 3, "3"],
    ["T6", 0.314, "31.4 % fewer"],
    ["T6", -0.5, "50 % more"],
    ["T6", 0, "no change"],
    ["T4", null, "–"],
  ] as const)("gives the figure of %s, %s, as %s", (id, value, text) => {
    expect(figureOf({ id, value })).toBe(text);
  });

  test("has intervals in whole parts", () => {
    expect(intervalText(0.8449, 0.9051)).toBe("84 % to 91 %");
    expect(changeText(-1.809, 0.644)).toBe("181 % more to 64 % fewer");
  });
});

describe("a procedure in a list of the scorecard", () => {
  test.each([
    ['deploy on "environment=prod;service=web" v3', "deploy", "environment=prod;service=web"],
    ['check_failed: deploy on "service=mail"', "deploy", "service=mail"],
    ["restart|service=dns v12", "restart", "service=dns"],
    ["reorganize_notes_tree|service=notes", "reorganize_notes_tree", "service=notes"],
  ])("is found in %s", (about, intent, target) => {
    expect(procedureIn(about)).toEqual({ intent, target });
  });

  test("is not found in a name that has none", () => {
    expect(procedureIn("agent")).toBeNull();
  });
});
