// A target is met by its bound, on verified success, over journals that are as they were written, and says what it leaves out.
import { describe, expect, test } from "vitest";
import { NOTHING } from "../../../../src/domain/scorecard/counts.ts";
import type { BrokenChain, KeyedTally } from "../../../../src/domain/scorecard/kept-scores.ts";
import { type ScoreTarget, targetsOf } from "../../../../src/domain/scorecard/targets.ts";

const WEEKS = ["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9"];

const tally = (over: Partial<KeyedTally>): KeyedTally => ({
  ...NOTHING,
  week: "W8",
  cohort: "known",
  intent: "deploy",
  target_signature: "service=web",
  sop_id: null,
  sop_version: null,
  status: "ok",
  reason_code: "verified",
  broken_why: null,
  ...over,
});
/** So many DONE, of which so many were judged from outside. */
const done = (count: number, verified: number, refuted: number, over: Partial<KeyedTally> = {}) =>
  tally({ tasks: count, done: count, verified, refuted, ...over });

type Chains = { readonly broken?: readonly BrokenChain[]; readonly is_whole?: boolean };

function read(tallies: readonly KeyedTally[], { broken = [], is_whole = true }: Chains = {}) {
  const targets = targetsOf({
    tallies,
    weeks: WEEKS,
    full_weeks: WEEKS.slice(0, -1),
    first_weeks: new Map(),
    chains: { judged: 12, broken, is_whole },
  });
  return new Map(targets.map((target) => [target.id, target]));
}
const of = (found: ReadonlyMap<string, ScoreTarget>, id: string): ScoreTarget => {
  const target = found.get(id);
  if (target === undefined) throw new Error(`there is no ${id}`);
  return target;
};

const diagnostic = { intent: "health_check" };
const teach = { cohort: "teach" } as const;

describe("promises 3.7: T1, verified over DONE", () => {
  test.each([
    ["all of few", [done(3, 3, 0)], "met", 1, ""],
    [
      "30 of 81 were found wrong, though they only look",
      [done(51, 51, 0), done(30, 0, 30, diagnostic)],
      "missed",
      51 / 81,
      "",
    ],
    ["those that only look, found right", [done(51, 51, 0), done(30, 30, 0, diagnostic)], "met", 1, ""],
    ["one of 20 wrong", [done(20, 19, 1)], "met", 0.95, ""],
    ["two of 20 wrong", [done(20, 18, 2)], "missed", 0.9, ""],
    ["nothing judged", [done(20, 0, 0)], "unproven", 0, ""],
    [
      "some that only look, not judged",
      [done(20, 20, 0), done(7, 0, 0, diagnostic)],
      "met",
      1,
      "Left out: 7 DONE of diagnostic intents",
    ],
    ["of 10 that only look one was judged, and wrong", [done(10, 0, 1, diagnostic)], "missed", 0, "Left out: 9 DONE"],
  ])("%s", (_what, tallies, state, value, says) => {
    const found = of(read(tallies), "T1");
    expect([found.state, found.value]).toEqual([state, value]);
    expect(found.message).toContain(says);
  });
});

const verifiedOf = (...counts: [done: number, verified: number, refuted: number]) => of(read([done(...counts)]), "T1");

describe("verified success", () => {
  test("is never outside of its own interval, and is met or missed where all of that is", () => {
    for (let done = 1; done <= 40; done++) {
      for (let verified = 0; verified <= done; verified++) {
        for (let refuted = 0; refuted <= done - verified; refuted++) {
          const { state, value, lower, upper } = verifiedOf(done, verified, refuted);
          const [at_least, at_most] = [lower ?? Number.NaN, upper ?? Number.NaN];
          expect(at_least <= (value ?? 0) && (value ?? 0) <= at_most).toBe(true);
          if (at_least >= 0.95) expect(state).toBe("met");
          if (at_most < 0.95) expect(state).toBe("missed");
        }
      }
    }
  });

  test("says by which verifications it is missed where what was not looked at could still repair it", () => {
    const { state, upper, message } = verifiedOf(100, 30, 4);
    expect({ state, upper }).toEqual({ state: "missed", upper: 0.96 });
    expect(message).toMatch(/By what was looked at, at most 94\.\d % is true\.$/);
  });

  test("has no figure and no interval where nothing is done", () => {
    expect(verifiedOf(0, 0, 0)).toMatchObject({ state: "unproven", value: null, lower: null, upper: null });
  });
});

describe("promises 3.7: T3, verified success of the taught group", () => {
  test.each([
    ["all verified, and many", [done(60, 60, 0, teach)], "met"],
    ["all verified, and few", [done(4, 4, 0, teach)], "unproven"],
    ["all DONE, and half found wrong", [done(40, 20, 20, teach)], "missed"],
    ["all DONE, none judged", [done(60, 0, 0, teach)], "unproven"],
    ["a third failed", [done(40, 40, 0, teach), tally({ ...teach, tasks: 20, status: "failed" })], "missed"],
    [
      "verified, and others that only look not judged",
      [done(60, 60, 0, teach), done(90, 0, 0, { ...teach, ...diagnostic })],
      "met",
    ],
    ["others found wrong", [done(60, 60, 0, teach), done(50, 0, 50)], "met"],
  ])("%s", (_what, tallies, state) => {
    expect(of(read(tallies), "T3").state).toBe(state);
  });
});

describe("promises 3.7: T6, fewer questions", () => {
  const asked = (before: number, since: number, tasks = 50) => [
    tally({ week: "W2", tasks, questions: before }),
    tally({ week: "W7", tasks, questions: since }),
  ];
  test.each([
    ["a third less of few", asked(9, 6), "unproven"],
    ["three quarters less of many", asked(400, 100), "met"],
    ["as many", asked(400, 400), "missed"],
    ["none before and none since", asked(0, 0), "unproven"],
    ["one before and none since", asked(1, 0), "unproven"],
  ])("%s", (_what, tallies, state) => {
    expect(of(read(tallies), "T6").state).toBe(state);
  });
});

const readingOf = (before: number, since: number) =>
  of(
    read([tally({ week: "W2", tasks: 50, questions: before }), tally({ week: "W7", tasks: 50, questions: since })]),
    "T6",
  );

describe("the reading of questions per task", () => {
  test.each([
    [1, 3],
    [2, 2],
    [1, 0],
  ])("has no lower bound, and is a number or nothing, after %i questions before and %i since", (before, since) => {
    const { value, lower, upper } = readingOf(before, since);
    expect(lower).toBeNull();
    for (const number of [value, upper]) expect(number).toSatisfy((found) => found === null || Number.isFinite(found));
  });

  test("has both bounds where enough was asked", () => {
    const { lower, value, upper, state } = readingOf(400, 100);
    expect(value).toBe(0.75);
    expect(lower).toBeLessThan(0.75);
    expect(upper).toBeGreaterThan(0.75);
    expect(state).toBe("met");
  });
});

describe("promises 3.7: T4, not worse than the week before", () => {
  const carried = (before: number, since: number) => [
    tally({ week: "W7", tasks: 50, handed_back: 50 - before }),
    tally({ week: "W8", tasks: 50, handed_back: 50 - since }),
  ];
  test.each([
    ["as many", carried(40, 40), "met"],
    ["more", carried(40, 45), "met"],
    ["a little less, within the noise", carried(40, 39), "unproven"],
    ["far less", carried(45, 20), "missed"],
  ])("%s", (_what, tallies, state) => {
    expect(of(read(tallies), "T4").state).toBe(state);
  });
});

describe("promises 3.7 and 3.10: no target", () => {
  const good = [
    done(200, 200, 0, { week: "W8" }),
    done(200, 200, 0, { ...teach, week: "W8" }),
    done(200, 200, 0, { week: "W7" }),
  ];

  test("is met where its own bound does not reach it", () => {
    const wanted: Readonly<Record<string, number>> = {
      T1: 0.95,
      T3: 0.9,
      T5: 0.3,
      T6: 0.2,
    };
    for (const tallies of [good, [done(3, 3, 0, teach)], [done(20, 19, 1, teach)], []])
      for (const { id, state, lower } of read(tallies).values())
        if (state === "met" && wanted[id] !== undefined) expect([id, (lower ?? -1) >= wanted[id]]).toEqual([id, true]);
  });

  test("is met over a journal that is not as it was written, and T2 names the task", () => {
    const broken = [
      { thread_id: "deploy-7", seq: 5 },
      { thread_id: "promotion/s-1", seq: 2 },
      { thread_id: "deploy-8", seq: null },
    ];
    expect(of(read(good), "T1").state, "without one").toBe("met");
    expect(of(read(good), "T2").state, "without one").toBe("met");
    const found = read(good, { broken });
    for (const { id, state } of found.values()) expect([id, state]).not.toEqual([id, "met"]);
    const { state, value, message, worst } = of(found, "T2");
    expect([state, value]).toEqual(["missed", 3]);
    expect(message).toContain(
      "Not as it was written: the journal of task deploy-7 from entry 5 on; the journal of promotion/s-1 from entry 2 on; the journal of task deploy-8, whose end is missing.",
    );
    expect(worst[0]).toMatchObject({
      about: "the journal of task deploy-7 from entry 5 on",
      operation: "get_evidence",
    });
    expect(of(found, "T1").message).toContain("Not met while a journal does not verify: see T2.");
  });

  test("counts a broken journal twice, where it was broken before it was counted", () => {
    const folded = tally({ tasks: 1, broken: 1, broken_why: "chain" });
    expect(of(read([...good, folded]), "T2").value).toBe(1);
    expect(of(read([...good, folded], { broken: [{ thread_id: "a", seq: 1 }] }), "T2").value).toBe(1);
    expect(of(read([...good, folded]), "T1").state).toBe("unproven");
  });

  test("is met before every journal was looked at, of those that depend on them", () => {
    const { state, message } = of(read(good, { is_whole: false }), "T2");
    expect(state).toBe("unproven");
    expect(message).toContain("12 journals were looked at so far, not all of them: ask again.");
  });
});
