import { expect, test } from "vitest";
import { guardFaults } from "../../../../src/domain/policy/self-test.ts";

test("the guard passes its own test", () => {
  expect(guardFaults()).toEqual([]);
});
