// What a plan must have, so that `skip_if_done` can end its task without a run (D-199).
import { describe, expect, test } from "vitest";
import type { Step } from "../../../../src/domain/step.ts";
import { obstacleToSkip } from "../../../../src/engine/policy/checks-to-look-at.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";

const SERVED = [{ criterion: "the page is served", step_index: 1 }];
const PLAN = [cmd("make"), check("test -e a")];
const VERSION = "$" + "{payload.v}";
const READS = 'grep -q "$ORCH_PAYLOAD" a';
const tool = (over: object) => mcpCall({ server: "home", tool: "state", ...over });

const obstacle = (steps: readonly Step[], over: Record<string, unknown> = {}, criteria = SERVED) =>
  obstacleToSkip(aContract(over), { steps, criteria });

describe("a plan", () => {
  test("may be skipped where its looks allow it", () => {
    expect(obstacle(PLAN)).toBeNull();
    expect(obstacle([wait("1s"), ...PLAN, wait("1s")])).toBeNull();
  });

  test.each<[string, readonly Step[], Record<string, unknown>, typeof SERVED]>([
    ["the intent triage only looks", PLAN, { intent: "triage" }, SERVED],
    ["the plan has no check", [cmd("make"), mcpCall()], {}, SERVED],
    ["check step 1 must run only once", [cmd("make"), check("test -e a # orch: once")], {}, SERVED],
    ["check step 1 compares with ORCH_BEFORE", [cmd("make"), check('test "$ORCH_BEFORE" != a')], {}, SERVED],
    ['no check covers the success criterion "the page is served"', PLAN, {}, []],
    [
      "step 0 reads the payload, and no check does",
      [cmd(`${READS} || make`), check("test -e a")],
      { payload: { v: 1 } },
      SERVED,
    ],
    [
      "step 0 reads the payload, and no check does",
      [tool({ arguments: { a: [VERSION] } }), check("test -e a")],
      { payload: { v: 1 } },
      SERVED,
    ],
  ])("is not: %s", (why, steps, over, criteria) => {
    expect(obstacle(steps, over, criteria)).toBe(why);
  });

  test("whose steps read the payload may be skipped where a check reads it too, or where it is empty", () => {
    const payload = { v: 1 };
    expect(obstacle([cmd(READS), check(READS)], { payload })).toBeNull();
    expect(obstacle([cmd(READS), check("test -e a")])).toBeNull();
    expect(obstacle([cmd("make"), check("test -e a")], { payload })).toBeNull();
    const reading = tool({ expect: { path: "/v", equals: VERSION } });
    expect(obstacle([cmd(READS), reading], { payload })).toBeNull();
  });
});
