import { expect, test } from "vitest";
import { guardFaults } from "../../../src/guard/self-test.ts";

test("the guard passes its own test", () => {
  expect(guardFaults()).toEqual([]);
});
