// When a judgement that the time has cut off is as good as the one that was approved.
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../../src/domain/finding.ts";
import { isFoundAsBefore } from "../../../../src/engine/policy/judge-plan.ts";

const finding = (over: Partial<Finding> = {}): Finding => ({
  step_index: 0,
  verdict: "ask",
  code: "dyn.operand",
  reason: "r",
  command: "rm -r <unknown>",
  category: null,
  ...over,
});
const cut = (step_index: number, over: Partial<Finding> = {}): Finding =>
  finding({ step_index, code: "cap.time", command: null, ...over });
const tool = finding({ step_index: 2, code: "tool.unknown_effect" });

describe("what is found again", () => {
  test.each<[string, boolean, Finding[], Finding[]]>([
    ["is the same in another order", true, [finding(), tool], [tool, finding()]],
    ["is not the same with one more", false, [finding(), tool], [finding()]],
    ["is the same where less is seen after the cut", true, [cut(0)], [finding(), finding({ step_index: 1 })]],
    ["is the same where more is seen than before the cut", true, [finding({ step_index: 1 })], [cut(0)]],
    ["is not the same before the cut", false, [finding(), cut(1)], [cut(1)]],
    ["is the same where the plan had no time left", true, [cut(1, { verdict: "block" })], [finding({ step_index: 1 })]],
    ["is not the same with a block after the cut", false, [cut(0), finding({ verdict: "block" })], [cut(0)]],
    ["is not the same where a tool does something else", false, [cut(0), tool], [cut(0)]],
    ["is the same with another reach after the cut", true, [cut(0), { ...tool, change: "looks" }], [cut(0), tool]],
    [
      "is not the same with another reach before it",
      false,
      [finding({ change: "looks" }), cut(1)],
      [finding(), cut(1)],
    ],
  ])("%s", (_what, isSame, now, before) => {
    expect(isFoundAsBefore({ now, before, from: 0 })).toBe(isSame);
  });

  test("is not compared for steps that have run", () => {
    expect(isFoundAsBefore({ now: [], before: [finding()], from: 1 })).toBe(true);
  });
});
