// What a check is worth, from the looks at it.
import { describe, expect, test } from "vitest";
import { type Examination, proofOf } from "../../worth.ts";

type Given = Partial<Omit<Examination, "control" | "decoy">> & {
  readonly world?: Examination["control"]["world"];
  readonly control?: Examination["control"]["answer"];
  readonly wrote?: boolean;
  readonly decoy?: "red" | "green" | "cannot_tell" | null;
};

function examined({ control = "red", world = "empty", wrote = false, decoy = "red", ...facts }: Given): Examination {
  const look = { exit_code: null, reason: null };
  return {
    constant: null,
    chance: null,
    names_target: true,
    reads_before: false,
    joined: false,
    red_at: null,
    ...facts,
    control: { ...look, answer: control, world, wrote },
    decoy: decoy === null ? null : { ...look, answer: decoy },
  };
}

type Before = "red" | "green" | "cannot_tell" | null;
const classOf = (given: Given, before: Before = null) =>
  proofOf(examined(given), before === null ? null : { answer: before });

const AT = "2026-11-01T00:00:00.000Z";
const GREEN: Given = { control: "green", decoy: "green" };

describe("the class of a check is", () => {
  test.each<[string, Given, Before, string, readonly string[]]>([
    ["red before the change", GREEN, "red", "proved", ["before"]],
    ["red in an earlier run", { ...GREEN, red_at: AT }, "green", "proved", ["history"]],
    ["red in the control and with the decoy", {}, null, "proved", ["decoy", "control"]],
    ["red in both without naming the target", { names_target: false }, null, "sensitive", ["decoy", "control"]],
    ["red among programs that only compute", { world: "bare" }, null, "sensitive", ["decoy", "control"]],
    ["red in both, by different parts", { joined: true }, null, "sensitive", ["decoy", "control"]],
    ["red in an earlier run, and may write", { ...GREEN, decoy: null, red_at: AT }, null, "unproved", []],
    ["red in the control only", { decoy: "green" }, "green", "sensitive", ["control"]],
    ["red in the control, without a decoy", { decoy: null }, null, "sensitive", ["control"]],
    ["red with the decoy only", { control: "green" }, null, "sensitive", ["decoy"]],
    ["red with the decoy, where no control is possible", { control: "not_possible" }, null, "sensitive", ["decoy"]],
    ["green everywhere", GREEN, "green", "unproved", []],
    ["not run by the control", { control: "cannot_tell", decoy: "green" }, null, "cannot_tell", []],
    ["without namespaces", { control: "not_possible", decoy: null }, null, "not_possible", []],
    ["constant", { constant: "it is always 0" }, "red", "unproved", []],
    ["decided by chance", { chance: "RANDOM" }, "red", "cannot_tell", []],
    ["one that writes", { wrote: true }, "red", "cannot_tell", []],
    ["red before, but time alone may turn it green", { ...GREEN, by_time: true }, "red", "unproved", []],
    ["red in an earlier run, as before", { ...GREEN, by_time: true, red_at: AT }, "green", "unproved", []],
    ["turned by time, and red in both worlds", { by_time: true }, "red", "proved", ["decoy", "control"]],
    ["red before, but it compares with ORCH_BEFORE", { ...GREEN, reads_before: true }, "red", "unproved", []],
    ["a comparison that is red in both worlds", { reads_before: true }, "red", "proved", ["decoy", "control"]],
  ])("for a check that is %s", (_, given, before, expected, seen_red) => {
    expect(classOf(given, before)).toMatchObject({ class: expected, seen_red });
  });
});

test("a check that is not proved says why", () => {
  const reasonOf = (given: Given) => classOf(given).reason;
  expect(reasonOf({})).toBeNull();
  expect(reasonOf(GREEN)).toBe("it also passes on an empty machine");
  expect(reasonOf({ world: "bare" })).toBe("it also passes on an empty machine");
  expect(reasonOf({ joined: true })).toContain("one part of it fails on an empty machine, and another");
  expect(reasonOf({ decoy: "green" })).toBe("it also passes for a target that does not exist");
  expect(reasonOf({ names_target: false })).toContain("does not name the target");
  expect(reasonOf({ chance: "RANDOM" })).toBe("chance decides it: RANDOM");
});

test("a check that was red, and that time alone may have turned green, says so", () => {
  const because = "it was red, but time alone may have turned it green";
  const given: Given = { ...GREEN, by_time: true };
  expect(classOf(given, "red").reason).toBe(`${because}; it also passes on an empty machine`);
  expect(classOf({ ...given, red_at: AT }).reason).toContain(because);
  expect(classOf({ ...given, control: "cannot_tell", decoy: null }, "red").reason).toBe(because);
  expect(classOf(given, "green").reason).toBe("it also passes on an empty machine");
  expect(classOf({ by_time: true }, "red").reason).toBeNull();
});

test.each<[Before, Given, string]>([
  ["red", {}, "became_true"],
  ["green", {}, "was_true_already"],
  ["cannot_tell", {}, "not_looked_at"],
  [null, {}, "not_looked_at"],
  ["green", { reads_before: true }, "compared"],
])("a check that was %s before the change %j: %s", (before, given, change) => {
  expect(classOf(given, before).change).toBe(change);
});
