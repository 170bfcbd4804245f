import { expect, test } from "vitest";
import { createHeartbeat } from "../../../../src/engine/worker/heartbeat.ts";

function beating(lease_ms: number | null) {
  const seen = { cuts: 0, errors: 0 };
  let ms = 0;
  let works = true;
  const beat = createHeartbeat({
    renew: async () => {
      if (!works) throw new Error("no database");
    },
    lease_ms,
    every_ms: 10_000,
    now: () => ms,
    cutOff: () => {
      seen.cuts += 1;
    },
    log: {
      error: () => {
        seen.errors += 1;
      },
    },
  });
  /** The number of cuts after a beat at that time. */
  const at = async (time: number, reaches = works) => {
    works = reaches;
    ms = time;
    await beat();
    return seen.cuts;
  };
  return { at, seen };
}

test("running steps are killed once, before the lease that could not be renewed is over", async () => {
  const { at } = beating(30_000);
  expect(await at(10_000)).toBe(0);
  expect([await at(20_000, false), await at(30_000), await at(35_000)]).toEqual([0, 0, 1]);
  expect(await at(50_000)).toBe(1);
});

test("they are left alone where no other server can get the database", async () => {
  const { at, seen } = beating(null);
  expect([await at(0, false), await at(500_000)]).toEqual([0, 0]);
  expect(seen.errors).toBe(2);
});
