// When what a server runs is killed that cannot renew its lease.
import { expect, test } from "vitest";
import { createServerHeartbeat } from "../../../../src/engine/worker/heartbeat.ts";

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
