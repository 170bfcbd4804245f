// T6 compares how much was asked. Of very few questions nothing is known of how far they may have grown, and no number says it.
import { describe, expect, test } from "vitest";
import { NOTHING } from "../../../../src/domain/scorecard/counts.ts";
import type { KeyedTally } from "../../../../src/domain/scorecard/kept-scores.ts";
import { questionsReading } from "../../../../src/domain/scorecard/targets.ts";

const WEEKS = ["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8"];

const tally = (week: string, tasks: number, questions: number): KeyedTally => ({
  ...{ ...NOTHING, tasks, questions, week, cohort: "known", intent: "deploy", target_signature: "service=web" },
  ...{ sop_id: null, sop_version: null, status: "ok", reason_code: "verified", broken_why: null },
});

const reading = (asked_before: number, asked: number) =>
  questionsReading({
    tallies: [tally("W2", 50, asked_before), tally("W7", 50, asked)],
    ...{ shown: [], weeks: WEEKS, full_weeks: WEEKS, first_weeks: new Map() },
  });

describe("the reading of questions per task", () => {
  test.each([
    [1, 3],
    [2, 2],
    [1, 0],
  ])("has no lower bound, and is a number or nothing, after %i questions before and %i since", (before, since) => {
    const { value, lower, upper } = reading(before, since);
    expect(lower).toBeNull();
    for (const number of [value, upper]) expect(number).toSatisfy((found) => found === null || Number.isFinite(found));
  });

  test("has both bounds where enough was asked", () => {
    const { lower, value, upper, state } = reading(400, 100);
    expect(value).toBe(0.75);
    expect(lower).toBeLessThan(0.75);
    expect(upper).toBeGreaterThan(0.75);
    expect(state).toBe("met");
  });
});
