import { expect, test } from "vitest";
import { hasSbom } from "../../../../src/tools/dist/license.ts";

test.each([
  ["8.19.4", false],
  ["9.2.0", false],
  ["9.8.1", false],
  ["9.9.0", true],
  ["10.1.0", false],
  ["10.2.0", true],
  ["11.0.0", true],
  ["", false],
])("npm %j makes a bill of materials: %s", (version, expected) => {
  expect(hasSbom(version)).toBe(expected);
});
