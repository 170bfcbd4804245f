// When a version in use has lost its proof.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { demotionOf, setsBack, type VersionRun } from "../../../../src/domain/scorecard/record.ts";

type Short = Partial<VersionRun>;

const aRun = (over: Short = {}): VersionRun => ({
  task_id: "t",
  intent: "restart",
  reason_code: "verified",
  passed: true,
  verified: 0,
  refuted: 0,
  ...over,
});
const failed = (over: Short = {}) => aRun({ reason_code: "step_failed", passed: false, ...over });
const times = (count: number, run: VersionRun) => Array.from({ length: count }, () => run);

const right = aRun({ verified: 1 });
const wrong = aRun({ refuted: 1 });

describe("a version", () => {
  test.each([
    [0, 1, true],
    [1, 2, true],
    [2, 3, true],
    [3, 4, true],
    [4, 5, false],
    [0, 0, false],
    [52, 52, false],
    [60, 70, true],
  ])("with %d of %d verifications that agree is refuted: %s", (verified, all, is_refuted) => {
    const demotion = demotionOf([...times(verified, right), ...times(all - verified, wrong)]);
    expect(demotion?.rule === "refuted").toBe(is_refuted);
    if (is_refuted) expect(demotion?.why).toBe(`refuted: ${verified} of ${all} verified`);
  });

  test.each([
    [0, 1, null],
    [0, 2, null],
    [0, 3, "failing"],
    [1, 4, "streak"],
    [6, 20, "failing"],
    [7, 20, "streak"],
    [17, 20, "streak"],
  ])("with %d passed of %d runs, the failures last, is %s", (passed, all, rule) => {
    const demotion = demotionOf([...times(all - passed, failed()), ...times(passed, aRun())]);
    expect(demotion?.rule ?? null).toBe(rule);
  });

  test("is judged by its last 20 runs", () => {
    expect(demotionOf([...times(14, failed()), ...times(500, aRun())])?.why).toBe(
      "failing: 6 of its last 20 runs passed",
    );
    expect(setsBack(demotionOf([aRun(), ...times(100, failed())]))).toBe(true);
    expect(setsBack(demotionOf([...times(20, aRun()), ...times(100, failed())]))).toBe(false);
  });

  test("that has run well loses nothing in an outage: three failures in a row are said, and no more", () => {
    const before = times(17, aRun());
    expect(demotionOf([failed({ task_id: "b" }), failed({ task_id: "a" }), ...before])).toBeNull();
    expect(
      demotionOf([failed({ task_id: "c" }), failed({ task_id: "b" }), failed({ task_id: "a" }), ...before]),
    ).toEqual({
      rule: "streak",
      why: "failing: its last 3 runs failed",
      tasks: ["c", "b", "a"],
    });
    expect(demotionOf([aRun(), ...times(5, failed()), ...before])).toBeNull();
  });

  test("names the runs that are the reason, newest first", () => {
    const runs = [aRun({ task_id: "d" }), wrong, aRun({ task_id: "b", verified: 1 })];
    expect(demotionOf(runs.map((run, nth) => ({ ...run, task_id: `${nth}` })))?.tasks).toEqual(["1"]);
    expect(demotionOf(["3", "2", "1"].map((task_id) => failed({ task_id })))?.tasks).toEqual(["3", "2", "1"]);
  });

  test("is refuted before it is failing", () => {
    expect(demotionOf([...times(3, failed()), wrong])?.rule).toBe("refuted");
  });

  test("is not blamed for what its engine did, nor for a task that was not carried out", () => {
    const unjudged = aRun({ reason_code: "engine_unreachable", passed: null });
    expect(demotionOf(times(30, unjudged))).toBeNull();
    expect(demotionOf([...times(30, unjudged), ...times(3, failed())])?.rule).toBe("failing");
  });

  test("is not blamed for the answer of a diagnostic intent that something is down", () => {
    const down = failed({ intent: "health_check", reason_code: "check_failed" });
    expect(demotionOf(times(30, down))).toBeNull();
    expect(demotionOf(times(3, failed({ intent: "health_check" })))?.rule).toBe("failing");
    expect(demotionOf(times(3, failed({ reason_code: "check_failed" })))?.rule).toBe("failing");
  });
});

const arbitrary = fc.record({
  passed: fc.constantFrom(true, false, null),
  found: fc.constantFrom({ verified: 1 }, { refuted: 1 }, {}),
  intent: fc.constantFrom("restart", "health_check"),
});
const runs = fc.array(
  arbitrary.map(({ passed, intent, found }) =>
    passed === true ? aRun({ intent, ...found }) : failed({ intent, passed }),
  ),
  { maxLength: 60 },
);

describe("one success more", () => {
  test.each([
    ["that was not verified", aRun()],
    ["that was found right", right],
    ["of a diagnostic intent", aRun({ intent: "health_check" })],
  ])("%s never sets a version back", (_what, success) => {
    fc.assert(
      fc.property(runs, (before) => {
        const [rule, then] = [demotionOf(before), demotionOf([success, ...before])];
        expect(setsBack(then) && !setsBack(rule)).toBe(false);
        expect(then?.rule === "streak" && rule === null).toBe(false);
      }),
    );
  });

  test("in the place of a failure never sets a version back either", () => {
    fc.assert(
      fc.property(runs, fc.nat(59), (before, at) => {
        const better = before.map((run, nth) =>
          nth === at && run.passed === false ? aRun(run.intent === "restart" ? {} : { intent: run.intent }) : run,
        );
        expect(setsBack(demotionOf(better)) && !setsBack(demotionOf(before))).toBe(false);
      }),
    );
  });
});
