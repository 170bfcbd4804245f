// A server that ends waits for the look for versions that is under way, and begins no other one.
import { expect, test } from "vitest";
import { createVersionChanges } from "../../../../src/engine/worker/promotions.ts";
import type { Store } from "../../../../src/ports.ts";

test("no look begins after the stop, which waits for those that were noted before", async () => {
  const first = Promise.withResolvers<void>();
  let looks = 0;
  const versions = createVersionChanges({
    store: { listTasks: async () => [] } as Partial<Store> as Store,
    promotions: { reconcile: () => (++looks === 1 ? first.promise : Promise.resolve()) },
    dispatcher: { dispatch: () => undefined },
    log: { error: () => undefined },
  });
  versions.note();
  versions.note();
  let isStopped = false;
  const stopped = versions.stop().then(() => {
    isStopped = true;
  });
  versions.note();
  await new Promise(setImmediate);
  expect([looks, isStopped]).toEqual([1, false]);
  first.resolve();
  await stopped;
  expect(looks).toBe(2);
});
