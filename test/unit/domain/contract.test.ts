import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  contractDigest,
  INTENTS,
  sopKey,
  Target,
  TaskContract,
  targetSignature,
} from "../../../src/domain/contract.ts";
import { aContract, contractBody } from "../../support/builders.ts";

const pathsOf = (body: unknown): string[] =>
  TaskContract.safeParse(body).error?.issues.map((issue) => issue.path.join(".")) ?? [];

describe("a task contract", () => {
  test("with every field of the specification is accepted [1.A.1.accept]", () => {
    expect(pathsOf(contractBody())).toEqual([]);
  });

  test("without skip_if_done keeps the digest that it had before there was one", () => {
    const digest = "06acf7a40da41bed70b1753a3ea005e3b4c15f19306309e98dc00b98f15a8372";
    expect(contractDigest(aContract())).toBe(digest);
    expect(contractDigest(aContract({ skip_if_done: true }))).not.toBe(digest);
    expect(pathsOf(contractBody({ skip_if_done: "yes" }))).toEqual(["skip_if_done"]);
  });

  test.each([
    "task_id",
    "intent",
    "target",
    "delegation_mode",
    "constraints",
    "success_criteria",
    "requested_by",
    "requested_at",
  ])("without %s is refused by that name [1.A.5.contract_fields]", (field) => {
    const { [field as "task_id"]: _left_out, ...body } = contractBody();
    expect(pathsOf(body)).toEqual([field]);
  });

  test.each(["srv", "/", "/a/../b", "/a/./b", "/a/", "//a", "~/x", ""])(
    "with write:%s is refused, because it would open nothing",
    (path) => {
      const constraints = { implicit_scope: ["write:/srv/a..b/.c", `write:${path}`], require_approval_for: [] };
      expect(pathsOf(contractBody({ constraints }))).toEqual(["constraints.implicit_scope.1"]);
    },
  );

  test.each([
    ["task_id", { task_id: "../etc" }],
    ["task_id", { task_id: "promotion/x" }],
    ["task_id", { task_id: 5 }],
    ["task_id", { task_id: null }],
    ["task_id", { task_id: "" }],
    ["task_id", { task_id: "odd\n" }],
    ["intent", { intent: ["deploy"] }],
    ["intent", { intent: "Deploy" }],
    ["target", { target: "service=web" }],
    ["target", { target: [] }],
    ["target.service", { target: { service: null } }],
    ["target.a-b", { target: { "a-b": "web" } }],
    ["constraints", { constraints: null }],
    ["constraints.implicit_scope", { constraints: { implicit_scope: "cmd:git", require_approval_for: [] } }],
    ["constraints.implicit_scope.1", { constraints: { implicit_scope: ["a", 1], require_approval_for: [] } }],
    ["constraints.max_minutes", { constraints: { implicit_scope: [], require_approval_for: [], max_minutes: "5" } }],
    ["constraints.max_minutes", { constraints: { implicit_scope: [], require_approval_for: [], max_minutes: 1.5 } }],
    ["success_criteria", { success_criteria: "it works" }],
    ["success_criteria.0", { success_criteria: [""] }],
    ["requested_at", { requested_at: "2026-02-30T09:00:00Z" }],
    ["payload", { payload: "text" }],
    ["execution_backend", { execution_backend: "cloud" }],
    ["intent", { intent: "Deploy!" }],
    ["target.Service", { target: { Service: "web" } }],
    ["target.service", { target: { service: 7 } }],
    ["target.service", { target: { service: "a\0b" } }],
    ["delegation_mode", { delegation_mode: "yolo" }],
    ["constraints", { constraints: { implicit_scope: [], require_approval_for: [], max_minuts: 3 } }],
    ["constraints.require_approval_for", { constraints: { implicit_scope: [] } }],
    ["constraints.max_minutes", { constraints: { implicit_scope: [], require_approval_for: [], max_minutes: 0 } }],
    ["constraints.implicit_scope.0", { constraints: { implicit_scope: [1], require_approval_for: [] } }],
    ["success_criteria", { success_criteria: ["a", "a"] }],
    [
      "success_criteria",
      {
        success_criteria: Array(101)
          .fill("x")
          .map((x, n) => x + n),
      },
    ],
    ["constraints.require_approval_for", { constraints: { implicit_scope: [], require_approval_for: "restarts" } }],
    ["constraints.require_approval_for.0", { constraints: { implicit_scope: [], require_approval_for: [1] } }],
    ["requested_by", { requested_by: "" }],
    ["requested_by", { requested_by: 7 }],
    ["requested_at", { requested_at: "yesterday" }],
    ["payload", { payload: [1] }],
    ["payload.a.b.__proto__", { payload: JSON.parse('{"a":{"b":{"__proto__":{"x":1}}}}') }],
  ])("names %s when it is wrong: %j [2.contract.*] [2.constraints.*] [1.A.5.contract]", (path, over) => {
    expect(pathsOf(contractBody(over))).toEqual([path]);
  });

  test("names every bad field at once", () => {
    expect(pathsOf(contractBody({ intent: 1, requested_at: "x", delegation_mode: null }))).toEqual([
      "intent",
      "delegation_mode",
      "requested_at",
    ]);
  });

  test("allows ten minutes per call when max_minutes is absent [8.max_minutes_default]", () => {
    const { constraints } = aContract({ constraints: { implicit_scope: [], require_approval_for: [] } });
    expect(constraints.max_minutes).toBe(10);
  });

  test("keeps fields that the specification does not show", () => {
    expect(aContract({ ticket: "OPS-7" })["ticket"]).toBe("OPS-7");
  });

  test("has the same digest for any order of its keys", () => {
    const reversed = Object.fromEntries(Object.entries(contractBody()).reverse());
    expect(contractDigest(TaskContract.parse(reversed))).toBe(contractDigest(aContract()));
    expect(contractDigest(aContract({ requested_by: "other" }))).not.toBe(contractDigest(aContract()));
  });

  test("refuses a payload of any depth without exhausting the stack", () => {
    const deep = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);
    expect(pathsOf(contractBody({ payload: { deep } }))[0]).toMatch(/^payload\.deep/);
  });
});

test("the vocabulary holds the ten intents of the specification except the one that a skill handles", () => {
  expect(INTENTS).toHaveLength(9);
  expect(INTENTS).not.toContain("reorganize_notes_tree");
});

test("the signature sorts the attributes and joins key=value with semicolons [2.key.signature] [2.key.order]", () => {
  expect(targetSignature({ service: "web", environment: "prod" })).toBe("environment=prod;service=web");
});

test("the key is the intent, a bar and the signature [2.key.format]", () => {
  expect(sopKey("deploy", "service=web")).toBe("deploy|service=web");
});

test("the empty target has the empty signature", () => {
  expect(targetSignature({})).toBe("");
});

test("separators, escapes and control characters in values are percent-encoded", () => {
  expect(targetSignature({ a: "x;b=1|%\n" })).toBe("a=x%3Bb=1%7C%25%0A");
});

test("non-Latin text stays readable", () => {
  expect(targetSignature({ service: "サーバー" })).toBe("service=サーバー");
});

test("two targets share a signature only when they are equal [2.key.exact]", () => {
  const value = fc.oneof(fc.string(), fc.constantFrom(";", "a=b", "%3B", "|", "\n", "a;b=c"));
  const target = fc.dictionary(fc.constantFrom("a", "b", "c"), value);
  fc.assert(
    fc.property(target, target, (one, other) => {
      const [first, second] = [Target.safeParse(one), Target.safeParse(other)];
      fc.pre(first.success && second.success);
      const same = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
      expect(targetSignature(one) === targetSignature(other)).toBe(same);
    }),
  );
});
