// How often unfinished work is looked for.
import { expect, test } from "vitest";
import { createReconciler } from "../../../../src/engine/worker/reconcile.ts";
import { manualTimer } from "../../../support/manual-timer.ts";

function reconciling(look: () => Promise<void> = async () => {}) {
  const manual = manualTimer();
  const looked: string[] = [];
  const logged: unknown[] = [];
  let at = 0;
  const reconciler = createReconciler({
    looks: ["tasks", "candidates"].map((name) => async () => {
      looked.push(name);
      await look();
    }),
    timer: manual.timer,
    now: () => at,
    log: { error: (...entry) => void logged.push(entry) },
  });
  const pass = (ms: number): void => {
    at += ms;
  };
  return { ...manual, ...reconciler, looked, logged, pass };
}

test("tasks and candidates are looked for in turn, one look every two and a half seconds", async () => {
  const it = reconciling();
  it.start();
  for (let nth = 0; nth < 3; nth += 1) {
    expect(it.pending()).toEqual([2_500]);
    await it.fire();
  }
  expect(it.looked).toEqual(["tasks", "candidates", "tasks"]);
});

test.each([
  ["takes long", "twenty times its length", 200, 4_000],
  ["waits for a database that is away", "five seconds at most", 10_000, 5_000],
])("a look that %s is followed by a pause of %s", async (_what, _length, took, pause) => {
  const it = reconciling(async () => it.pass(took));
  it.start();
  await it.fire();
  expect(it.pending()).toEqual([pause]);
});

test("a look that fails is logged, and the next one follows", async () => {
  const error = new Error("the disk is full");
  const it = reconciling(() => Promise.reject(error));
  it.start();
  await it.fire();
  expect(it.logged).toEqual([[{ err: error }, "unfinished work was not looked for; trying again"]]);
  expect(it.pending()).toEqual([2_500]);
});

test("nothing is looked for after a stop, also when the stop comes during a look", async () => {
  const held = Promise.withResolvers<void>();
  const it = reconciling(() => held.promise);
  it.start();
  await it.fire();
  it.stop();
  held.resolve();
  await it.fire();
  expect([it.looked, it.pending()]).toEqual([["tasks"], []]);
  const waiting = reconciling();
  waiting.start();
  waiting.stop();
  expect(waiting.pending()).toEqual([]);
});
