// The name that somebody meant.
import { expect, test } from "vitest";
import { nearestName } from "../../../src/domain/unknown-fields.ts";

const KNOWN = ["ORCH_HOST", "ORCH_PORT", "ORCH_TOKEN", "DATABASE_URL"];

test.each([
  ["ORCH_PROT", "ORCH_PORT"],
  ["ORCH_TOKENS", "ORCH_TOKEN"],
  ["ORCH_PRT", "ORCH_PORT"],
  ["ROHC_POTR", "ORCH_PORT"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["ORCH_SOMETHING_ELSE", null],
  ["", null],
])("%s is meant as %s", (name, meant) => {
  expect(nearestName(name, KNOWN, 3)).toBe(meant);
});

test("a name is only as near as it has to be", () => {
  expect(nearestName("ORCH_PROT", KNOWN, 1), "two letters in the wrong order").toBe("ORCH_PORT");
  expect(nearestName("ORCH_PORTAL", KNOWN, 1)).toBe(null);
  expect(nearestName("ORCH_PORT", [], 3)).toBe(null);
});
