// Which unknown fields of a contract are refused, with what was meant, and how the others are named.
import { describe, expect, test } from "vitest";
import { ignoredFields, misplacedFields } from "../../../src/domain/unknown-fields.ts";
import { aContract, contractBody } from "../../support/builders.ts";

const constraints = contractBody().constraints;
const numbered = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`extra_field_${10 + n}`, n]));

describe("a field that is known elsewhere, or nearly, is refused with what was meant", () => {
  test.each([
    ["require_approval_for", "constraints.require_approval_for"],
    ["implicit_scope", "constraints.implicit_scope"],
    ["max_minutes", "constraints.max_minutes"],
    ["constraints.require_approval_for", "constraints.require_approval_for"],
    ["require_approval", "constraints.require_approval_for"],
    ["approval_required_for", "constraints.require_approval_for"],
    ["approvalRequired", "constraints.require_approval_for"],
    ["requires_approval", "constraints.require_approval_for"],
    ["max_minuts", "constraints.max_minutes"],
    ["require_aproval_fro", "constraints.require_approval_for"],
    ["requireApprovalFor", "constraints.require_approval_for"],
    ["skip_if_don", "skip_if_done"],
    ["skipIfDone", "skip_if_done"],
    ["skip-if-done", "skip_if_done"],
    ["constrains", "constraints"],
    ["intnet", "intent"],
    ["Payload", "payload"],
    ["verify_withn_hour", "verify_within_hours"],
    ["wait_second", "wait_seconds"],
  ])("%s of the contract: %s", (name, meant) => {
    const message = `is not a known field here; did you mean ${meant}?`;
    expect(misplacedFields(contractBody({ [name]: true }))).toEqual([{ path: name, message }]);
  });

  test.each([
    ["skip_if_done", "skip_if_done"],
    ["success_criteria", "success_criteria"],
    ["max_minuts", "constraints.max_minutes"],
    ["require_approval", "constraints.require_approval_for"],
    ["approval_required_for", "constraints.require_approval_for"],
    ["dry_run", "", false],
  ])("%s of the constraints: %s", (name, meant, isNear = true) => {
    const message = `is not a known field here; did you mean ${meant}?`;
    const issues = misplacedFields(contractBody({ constraints: { ...constraints, [name]: true } }));
    expect(issues).toEqual(isNear ? [{ path: `constraints.${name}`, message }] : []);
  });
});

test.each([
  ["policy", { require_approval_for: [] }, "policy.require_approval_for"],
  ["contract", { constraints: { require_approval_for: [] } }, "contract.constraints.require_approval_for"],
])("what is ordered for approvals within the unknown field %s is refused", (name, value, path) => {
  const message = "is not a known field here; did you mean constraints.require_approval_for?";
  expect(misplacedFields(contractBody({ [name]: value }))).toEqual([{ path, message }]);
});

test.each([
  ["no field but known ones", contractBody()],
  ["the wait of a submit", contractBody({ wait_seconds: 5 })],
  ["names that are far from all known ones", contractBody({ note: 1, ticket: 2, task: 3, "": 4, x: 5, 日本語: 6 })],
  ["names in what is free", contractBody({ payload: { max_minutes: 5 }, target: { skip_if_don: "x" } })],
  ["a very long name", contractBody({ [`skip_if_done${"_".repeat(100_000)}`]: true })],
  ["no object", "skip_if_don"],
  ["constraints that are no object", contractBody({ constraints: ["skip_if_done"] })],
])("%s: nothing is refused", (_what, contract) => {
  expect(misplacedFields(contract)).toEqual([]);
});

test("a misplaced field is refused after any number of others", () => {
  const issues = misplacedFields({ ...numbered(5_000), require_approval_for: [] });
  expect(issues).toMatchObject([{ path: "require_approval_for" }]);
});

test("a hundred misspelt fields are listed at most", () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`${"-".repeat(n % 20)}intent${"_".repeat(n)}`, 1]),
  );
  expect(misplacedFields(many).length).toBeLessThanOrEqual(100);
});

describe("the others are named", () => {
  test.each([
    ["none", {}, null],
    ["one that is known to other programs", { dry_run: true }, "kept, and without effect: dry_run"],
    ["two", { ticket: { id: 7 }, note: "x" }, "kept, and without effect: note, ticket"],
    [
      "forty",
      numbered(40),
      `kept, and without effect: ${Array.from({ length: 10 }, (_, n) => `extra_field_${10 + n}`).join(", ")}, and 30 more`,
    ],
    ["a long one", { [`n${"o".repeat(500)}`]: 1 }, `kept, and without effect: "n${"o".repeat(39)}…"`],
    [
      "one with unseen characters",
      { "a\u001b[2K\u202e\n, b": 1 },
      'kept, and without effect: "a\\u001b[2K\\u202e\\n, b"',
    ],
    ["an empty one", { "": 1 }, 'kept, and without effect: ""'],
  ])("%s", (_what, more, text) => {
    expect(ignoredFields(aContract(more as Record<string, unknown>))).toBe(text);
  });
});
