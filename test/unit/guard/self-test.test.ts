import { expect, test } from "vitest";
import { selfTest } from "../../../src/guard/guard.ts";

test("the guard passes its own test", () => {
  expect(selfTest()).toEqual([]);
});
