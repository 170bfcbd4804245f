import { expect, test } from "vitest";
import { selfTest } from "../../guard.ts";

test("the guard passes its own test", () => {
  expect(selfTest()).toEqual([]);
});
