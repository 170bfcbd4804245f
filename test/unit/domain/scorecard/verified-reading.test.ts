// T1 says its figure, and between which bounds it ends (D-359).
import { describe, expect, test } from "vitest";
import { NOTHING } from "../../../../src/domain/scorecard/counts.ts";
import type { KeyedTally } from "../../../../src/domain/scorecard/kept-scores.ts";
import { verifiedReading } from "../../../../src/domain/scorecard/targets.ts";

const tally = (done: number, verified: number, refuted: number): KeyedTally => ({
  ...NOTHING,
  tasks: done,
  done,
  verified,
  refuted,
  week: "2026-W40",
  cohort: "known",
  intent: "deploy",
  target_signature: "service=web",
  sop_id: null,
  sop_version: null,
  status: "ok",
  reason_code: "verified",
  broken_why: null,
});

const counts = (done: number, verified: number, refuted: number) => verifiedReading([tally(done, verified, refuted)]);

describe("verified success", () => {
  test("is never outside of its own interval, and is met or missed where all of that is", () => {
    for (let done = 1; done <= 40; done++) {
      for (let verified = 0; verified <= done; verified++) {
        for (let refuted = 0; refuted <= done - verified; refuted++) {
          const { state, value, lower, upper } = counts(done, verified, refuted);
          const [at_least, at_most] = [lower ?? Number.NaN, upper ?? Number.NaN];
          expect(at_least <= (value ?? 0) && (value ?? 0) <= at_most).toBe(true);
          if (at_least >= 0.95) expect(state).toBe("met");
          if (at_most < 0.95) expect(state).toBe("missed");
        }
      }
    }
  });

  test("says by which verifications it is missed where what was not looked at could still repair it", () => {
    const { state, upper, message } = counts(100, 30, 4);
    expect({ state, upper }).toEqual({ state: "missed", upper: 0.96 });
    expect(message).toMatch(/By what was looked at, at most 94\.\d % is true\.$/);
  });

  test("has no figure and no interval where nothing is done", () => {
    expect(counts(0, 0, 0)).toMatchObject({ state: "unproven", value: null, lower: null, upper: null });
  });
});
