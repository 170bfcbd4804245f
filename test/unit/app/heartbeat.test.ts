import { expect, test } from "vitest";
import { heartbeatOf } from "../../../src/app/heartbeat.ts";
import { alone } from "../../../src/store/peers.ts";

type Beating = Parameters<typeof heartbeatOf>[1];

/** A server whose beats are answered when the test says so, and when what it runs is killed without another word, on its clock. */
function serverOf(are_many: boolean) {
  const killed_at: number[] = [];
  const answers: ((drains: boolean) => void)[] = [];
  let ms = 0;
  const own = { owner: "vm/1/a", predecessor: "none", predecessor_process: null, clock: () => new Date(0) } as const;
  const database = {
    servers: { ...alone(own), are_many },
    heartbeat: () => new Promise<boolean>((resolve) => answers.push(resolve)),
  } as unknown as Parameters<typeof heartbeatOf>[0];
  const orch = {
    dispatcher: { renewLeases: async () => undefined },
    cutOff: () => undefined,
    lives: (left_ms: number) => void killed_at.push(ms + left_ms),
  } as unknown as Beating;
  const log = { error: () => undefined } as unknown as Parameters<typeof heartbeatOf>[2]["log"];
  const beat = heartbeatOf(database, orch, { log, onDrain: () => undefined, now: () => ms });
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

test("an answer that comes after that of a later beat does not bring the kill forward", async () => {
  const { killed_at, beatAt, answerAt } = serverOf(true);
  void beatAt(0);
  void beatAt(10_000);
  await answerAt(11_000, 1);
  await answerAt(14_000, 0);
  expect(killed_at).toEqual([33_000, 33_000]);
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
