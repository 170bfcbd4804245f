import { describe, expect, test } from "vitest";
import { createBuckets, type Rate } from "../../../../src/domain/rate.ts";

const MINUTE = 60_000;

function bucketsAt(rate: Rate) {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const takeTurn = createBuckets(rate, () => new Date(now));
  const takeMany = (key: string, times: number) => Array.from({ length: times }, () => takeTurn(key));
  return { takeTurn, takeMany, pass: (ms: number) => (now += ms) };
}

describe("a bucket", () => {
  test("starts full, grants its amount at once, and then refills one token at a time", () => {
    const { takeMany, takeTurn, pass } = bucketsAt({ amount: 6, per_ms: MINUTE });
    expect(takeMany("a", 7)).toEqual([null, null, null, null, null, null, 10]);
    pass(9_000);
    expect(takeTurn("a")).toBe(1);
    pass(1_000);
    expect(takeMany("a", 2)).toEqual([null, 10]);
    pass(2 * MINUTE);
    expect(
      takeMany("a", 7).filter((wait) => wait === null),
      "no more than its amount is saved up",
    ).toHaveLength(6);
  });

  test.each([1, 3, 7, 11, 300, 7_001, 60_000])("with %i tokens grants exactly that many", (amount) => {
    const { takeMany } = bucketsAt({ amount, per_ms: MINUTE });
    expect(takeMany("a", amount).every((wait) => wait === null)).toBe(true);
    if (amount <= 300) expect(takeMany("a", 1)).not.toEqual([null]);
  });

  test("grants a token to a caller that waits the returned number of seconds", () => {
    const { takeMany, takeTurn, pass } = bucketsAt({ amount: 7, per_ms: MINUTE });
    takeMany("a", 7);
    for (let round = 0; round < 20; round++) {
      const wait = takeTurn("a");
      expect(wait).toBeGreaterThan(0);
      pass((wait ?? 0) * 1_000);
      expect(takeTurn("a")).toBeNull();
    }
  });

  test("charges nothing for a refusal", () => {
    const { takeMany, takeTurn, pass } = bucketsAt({ amount: 2, per_ms: MINUTE });
    takeMany("a", 1_000);
    pass(30_000);
    expect(takeTurn("a")).toBeNull();
  });

  test("is separate for each key", () => {
    const { takeMany, takeTurn } = bucketsAt({ amount: 1, per_ms: MINUTE });
    expect(takeMany("a", 2)).toEqual([null, 60]);
    expect(takeTurn("__proto__")).toBeNull();
  });

  test("with an amount of 0 sets no limit", () => {
    expect(bucketsAt({ amount: 0, per_ms: MINUTE }).takeMany("a", 1_000)).not.toContain(60);
  });

  test("is not emptied by a clock that is set back", () => {
    const { takeMany, takeTurn, pass } = bucketsAt({ amount: 2, per_ms: MINUTE });
    takeMany("a", 2);
    pass(-24 * 60 * MINUTE);
    expect(takeTurn("a")).toBe(30);
    pass(30_000);
    expect(takeTurn("a"), "not a day later").toBeNull();
  });
});

test("with ten thousand keys, only the least recently used key is forgotten", () => {
  const { takeTurn } = bucketsAt({ amount: 2, per_ms: MINUTE });
  takeTurn("first");
  takeTurn("second");
  for (let n = 0; n < 9_998; n++) takeTurn(`k${n}`);
  expect(takeTurn("first")).toBeNull();
  takeTurn("one more");
  expect(takeTurn("first"), "used since then, and so remembered").toBe(30);
  expect([takeTurn("second"), takeTurn("second")], "forgotten: its bucket is full again").toEqual([null, null]);
});
