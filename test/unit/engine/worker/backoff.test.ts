// The pauses between attempts that fail.
import { expect, test } from "vitest";
import { createBackoff } from "../../../../src/engine/worker/promotions.ts";

function backoff() {
  let at = 0;
  const it = createBackoff({ now: () => at, first_ms: 2_500, longest_ms: 300_000 });
  const pass = (ms: number): void => {
    at += ms;
  };
  return { ...it, pass };
}

test("pauses double up to the limit, for any number of failures", () => {
  const { fail } = backoff();
  const pauses = Array.from({ length: 2_000 }, () => fail("a").pause_ms);
  expect(pauses.slice(0, 8)).toEqual([2_500, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]);
  expect(new Set(pauses.slice(7))).toEqual(new Set([300_000]));
});

test("after a success the pauses begin anew", () => {
  const it = backoff();
  it.fail("a");
  it.fail("a");
  it.succeed("a");
  expect([it.isDue("a"), it.fail("a")]).toEqual([true, { failures: 1, pause_ms: 2_500 }]);
});
