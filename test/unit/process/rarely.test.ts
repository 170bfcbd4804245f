import { expect, test } from "vitest";
import { rarely } from "../../../src/process/system.ts";

test("a question is asked again only after its time, and its rejection is repeated as well", async () => {
  let ms = 0;
  let asked = 0;
  const ask = rarely(
    async () => {
      asked += 1;
      if (asked === 2) throw new Error("no");
      return asked;
    },
    1_000,
    () => ms,
  );
  expect([await ask(), await ask()]).toEqual([1, 1]);
  ms = 1_000;
  await expect(ask()).rejects.toThrow("no");
  await expect(ask()).rejects.toThrow("no");
  ms = 2_000;
  expect(await ask()).toBe(3);
});
