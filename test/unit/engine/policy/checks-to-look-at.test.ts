// The checks of a plan that are run before its first change (D-194), and those before it where a task may be done already (D-199).
import { describe, expect, test } from "vitest";
import type { Step } from "../../../../src/domain/step.ts";
import { checksToLookAt } from "../../../../src/engine/policy/checks-to-look-at.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";

const looked = (steps: readonly Step[], over: Record<string, unknown> = {}) =>
  checksToLookAt(aContract(over), steps, "/home/op").map(({ step_index }) => step_index);

const PLAN = [check("test -e ready"), wait("1s"), cmd("make"), check("test -e a"), check("rm a"), cmd("make b")];

describe("the checks to look at", () => {
  test("come after the first change and are known to look only", () => {
    expect(looked(PLAN)).toEqual([3]);
    expect(looked([cmd("make"), check("test -e a # orch: once")])).toEqual([]);
    expect(looked([cmd("make"), mcpCall({ expect: { equals: 1 } })])).toEqual([1]);
  });

  test("are none where nothing changes, and none for an intent that only looks", () => {
    expect(looked([cmd("ls"), check("test -e a")], { skip_if_done: true })).toEqual([]);
    expect(looked(PLAN, { intent: "triage", skip_if_done: true })).toEqual([]);
  });

  test("are those before the change too where a task may be done already, unless they compare", () => {
    expect(looked(PLAN, { skip_if_done: true })).toEqual([0, 3]);
    expect(looked(PLAN, { skip_if_done: false })).toEqual([3]);
    expect(looked([check('echo "$ORCH_BEFORE"'), cmd("make"), check("test -e a")], { skip_if_done: true })).toEqual([
      2,
    ]);
  });
});
