// Some of many acts at once.
import { expect, test } from "vitest";
import { someAtOnce } from "../../../local/local-backend.ts";

test("as many acts as allowed run at once, and their results are in order", async () => {
  let running = 0;
  let most = 0;
  const results = await someAtOnce(3, [4, 1, 3, 2, 5, 1, 1], async (item) => {
    most = Math.max(most, ++running);
    for (let n = 0; n < item; n++) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  expect([results, most, running]).toEqual([[40, 10, 30, 20, 50, 10, 10], 3, 0]);
  expect(await someAtOnce(4, [], async () => 1)).toEqual([]);
});
