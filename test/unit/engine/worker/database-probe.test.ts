// Waiting for a database that does not work.
import { expect, test } from "vitest";
import { createProbe } from "../../../../src/engine/worker/dispatcher.ts";
import { manualTimer } from "../../../support/manual-timer.ts";

test("everybody who waits is woken by the first probe that succeeds, and there is one probe a second", async () => {
  const manual = manualTimer();
  let isAway = true;
  let pings = 0;
  const usable = createProbe({
    ping: async () => {
      pings += 1;
      if (isAway) throw new Error("away");
    },
    timer: manual.timer,
  });
  const woken: string[] = [];
  for (const name of ["a", "b"]) void usable().then(() => woken.push(name));
  await manual.fire();
  expect([pings, woken, manual.pending()]).toEqual([1, [], [1_000]]);
  isAway = false;
  await manual.fire();
  expect([pings, woken, manual.pending()]).toEqual([2, ["a", "b"], []]);
  void usable().then(() => woken.push("c"));
  expect(manual.pending()).toEqual([1_000]);
  await manual.fire();
  expect(woken).toEqual(["a", "b", "c"]);
});
