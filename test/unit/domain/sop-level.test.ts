// What a run says of the version that it ran, and the level that follows.
import { describe, expect, test } from "vitest";
import type { CheckProof } from "../../../src/domain/proof.ts";
import type { Verdict } from "../../../src/domain/verification.ts";
import { levelAfter, runProof } from "../../../src/engine/tasks/sop-versions.ts";

type Class = CheckProof["class"] | null;

const checkOf = (criterion: string | null, worth: Class): Verdict["checks"][number] => ({
  step_index: 0,
  criterion,
  passed: true,
  exit_code: 0,
  ...(worth !== null && { proof: { class: worth, seen_red: [], change: "not_looked_at", reason: null } }),
});
const run = (...checks: Verdict["checks"]) => ({ passed: true, checks });

describe("a run", () => {
  test.each<[string, ReturnType<typeof run>, string]>([
    ["whose only check is proved", run(checkOf("a", "proved")), "proved"],
    ["with a criterion that is not proved", run(checkOf("a", "proved"), checkOf("b", "sensitive")), "not_proved"],
    ["with a further check of no criterion", run(checkOf("a", "proved"), checkOf(null, "unproved")), "proved"],
    [
      "without criteria, with a check that is not proved",
      run(checkOf(null, "proved"), checkOf(null, "unproved")),
      "not_proved",
    ],
    ["without criteria, with proved checks", run(checkOf(null, "proved")), "proved"],
    ["that chance decides", run(checkOf("a", "cannot_tell")), "not_proved"],
    ["that was not looked at", run(checkOf("a", null)), "not_possible"],
    ["on a machine without an empty world", run(checkOf("a", "not_possible")), "not_possible"],
    [
      "of which one part cannot be looked at",
      run(checkOf("a", "not_possible"), checkOf("b", "proved")),
      "not_possible",
    ],
    ["of which one part is worth nothing", run(checkOf("a", "not_possible"), checkOf("b", "unproved")), "not_proved"],
    ["that failed", { passed: false, checks: [checkOf("a", "proved")] }, "not_proved"],
  ])("%s is %#: %s", (_name, verdict, expected) => {
    expect(runProof(verdict, "deploy")).toBe(expected);
  });

  test("that only looks is proved by a check that depends on what it looks at", () => {
    expect(runProof(run(checkOf("a", "sensitive")), "health_check")).toBe("proved");
    expect(runProof(run(checkOf("a", "unproved")), "health_check")).toBe("not_proved");
  });
});

test.each([
  ["proved", null, "proved"],
  ["not_proved", null, "tried"],
  ["not_possible", null, "tried"],
  [null, "service=web", "tried"],
  [null, null, "defined"],
] as const)("after a run that is %s, proved on %s: %s", (proof, proved_on, level) => {
  expect(levelAfter(proof, proved_on)).toBe(level);
});
