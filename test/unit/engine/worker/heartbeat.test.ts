// When running steps are killed whose lease cannot be renewed, by a server alone and by one of several.
import { expect, test } from "vitest";
import { createHeartbeat, createServerHeartbeat } from "../../../../src/engine/worker/heartbeat.ts";

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

/** A server whose beats are answered when the test says so, and when what it runs is killed without another word, on its clock. */
function serverOf(are_many: boolean) {
  const killed_at: number[] = [];
  const answers: ((drains: boolean) => void)[] = [];
  let ms = 0;
  const beat = createServerHeartbeat({
    servers: { are_many },
    beat: () => new Promise<boolean>((resolve) => answers.push(resolve)),
    dispatcher: { renewLeases: async () => undefined },
    cutOff: () => undefined,
    lives: (left_ms) => void killed_at.push(ms + left_ms),
    onDrain: () => undefined,
    log: { error: () => undefined },
    now: () => ms,
  });
  return {
    killed_at,
    beatAt: (time: number): Promise<void> => {
      ms = time;
      return beat();
    },
    /** The database answers that beat, the oldest is 0. */
    answerAt: async (time: number, nth: number): Promise<void> => {
      ms = time;
      answers[nth]?.(false);
      await new Promise(setImmediate);
    },
  };
}

test("what runs is killed 23 s after the lease was asked for, also when the database answers late", async () => {
  const { killed_at, beatAt, answerAt } = serverOf(true);
  void beatAt(0);
  await answerAt(14_000, 0);
  expect(killed_at).toEqual([23_000]);
});

test("an answer that comes after those 23 s has what runs killed at once", async () => {
  const { killed_at, beatAt, answerAt } = serverOf(true);
  void beatAt(0);
  await answerAt(29_000, 0);
  expect(killed_at).toEqual([29_000]);
});

test("what the only server of a database runs is not watched", async () => {
  const { killed_at, beatAt, answerAt } = serverOf(false);
  void beatAt(0);
  await answerAt(10, 0);
  expect(killed_at).toEqual([]);
});
