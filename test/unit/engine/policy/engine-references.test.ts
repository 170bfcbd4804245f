// Values that a flow engine would replace are never sent to one, at any position and depth.
import { describe, expect, test } from "vitest";
import { Finding } from "../../../../src/domain/finding.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { engineReferences } from "../../../../src/engine/policy/engine-references.ts";
import { judgePlan } from "../../../../src/engine/policy/judge-plan.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";

const STEPS = [cmd("true"), check("true")];

/** Where in a contract with this payload the engine would replace something. */
const placesIn = (payload: unknown) => placesOf(aContract({ payload }), STEPS);

const placesOf = (...[contract, steps]: Parameters<typeof engineReferences>) =>
  engineReferences(contract, steps).map(({ step_index, reason }) => {
    const [, path] = /would replace (.*), which reads as a reference/.exec(reason) ?? [];
    return `${step_index} ${path}`;
  });

const REFERENCES = [
  ...["$var:f/orch/notes_token", "$var:", "$jsonvar:f/orch/settings", "$res:f/orch/db", "$encrypted:AAAA"],
  ...["$WM_TOKEN", "$DATABASE_URL", "$_", "$a1", "$Path"],
];

describe.each(REFERENCES)("%s", (reference) => {
  test.each<[string, unknown]>([
    ["token", { token: reference }],
    ["a.b.c.d", { a: { b: { c: { d: reference } } } }],
    ["list.1", { list: ["plain", reference] }],
    ["list.0.0.0", { list: [[[reference]]] }],
    ["list.1.deep.0", { list: [{}, { deep: [reference] }] }],
  ])("is found at payload.%s", (path, payload) => {
    expect(placesIn(payload)).toEqual([`0 payload.${path}`]);
  });

  test("is found as the value and in the arguments of a step", () => {
    const deep = mcpCall({ arguments: { a: reference, b: { c: [1, { d: reference }] } } });
    expect(placesOf(aContract(), [cmd("true"), cmd(reference), deep, check(reference)])).toEqual([
      ...["1 value", "2 arguments.a", "2 arguments.b.c.1.d", "3 value"],
    ]);
  });

  test("is found in every field of the contract that is the caller's", () => {
    const contract = aContract({
      target: { service: reference },
      success_criteria: [reference],
      requested_by: reference,
      note: { x: reference },
      constraints: { implicit_scope: [reference], require_approval_for: [reference], max_minutes: 1 },
    });
    expect(placesOf(contract, STEPS).toSorted()).toEqual([
      ...["0 constraints.implicit_scope.0", "0 constraints.require_approval_for.0", "0 note.x", "0 requested_by"],
      ...["0 success_criteria.0", "0 target.service"],
    ]);
  });

  test("passes in the middle of a text, and after a blank", () => {
    const texts = [`see ${reference}`, ` ${reference}`, `x${reference}`, `$${reference}`];
    expect(placesIn({ texts, deep: { text: texts[0] } })).toEqual([]);
    expect(placesOf(aContract(), texts.map(cmd))).toEqual([]);
  });

  test("passes as a key, which the engine does not replace", () => {
    expect(placesIn({ [reference]: 1, list: [{ [reference]: "x" }] })).toEqual([]);
  });
});

describe("a text that the engine does not replace passes", () => {
  test.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's parameter looks like this
    ...["", "$", "$$", "$5", "$1abc", "$a-b", "$a b", "$HOME/x", "${HOME}", "$(id)", "$A\n", "\n$A", "$A$B", "$größe"],
    ...["$Var:x", "$VAR:x", "$ var:x", "$variable:x", "$resource:x", "var:x", "\u0000$var:x"],
  ])("%j", (text) => {
    expect(placesIn({ text, list: [text] })).toEqual([]);
  });
});

describe("the key $interpolate", () => {
  test.each<[string, unknown]>([
    ["$interpolate", { $interpolate: ["Bearer ", { $var: "f/orch/token" }] }],
    ["a.$interpolate", { a: { $interpolate: [] } }],
    ["a.0.b.$interpolate", { a: [{ b: { $interpolate: null, more: 1 } }] }],
  ])("is found at payload.%s", (path, payload) => {
    expect(placesIn(payload)).toEqual([`0 payload.${path}`]);
  });

  test("is found in the arguments of a step, and as a text it passes", () => {
    const steps = [mcpCall({ arguments: { list: [{ $interpolate: ["a"] }] } }), cmd("echo $interpolate")];
    expect(placesOf(aContract(), steps)).toEqual(["0 arguments.list.0.$interpolate"]);
    expect(placesIn({ text: "say $interpolate" })).toEqual([]);
  });
});

test("findings are in source order, the contract's first", () => {
  const contract = aContract({ payload: { z: "$A", a: ["$B", { b: "$C" }] } });
  const steps = [wait("1s"), mcpCall({ arguments: { y: "$D", b: "$E" } })];
  expect(placesOf(contract, steps)).toEqual([
    ...["0 payload.z", "0 payload.a.0", "0 payload.a.1.b", "1 arguments.y", "1 arguments.b"],
  ]);
});

test("a contract that is full of references gives a few short findings", () => {
  const payload = { ["k".repeat(100_000)]: "$A", list: Array.from({ length: 100_000 }, () => "$A") };
  const findings = engineReferences(aContract({ payload }), [mcpCall({ arguments: payload }), cmd("$A")]);
  expect(findings.map(({ step_index }) => step_index)).toEqual([...Array(20).fill(0), 1]);
  expect(JSON.stringify(findings).length).toBeLessThan(10_000);
});

describe("a plan", () => {
  const steps: readonly Step[] = [cmd("true"), mcpCall({ arguments: { secret: "$var:f/orch/x" } })];
  const contract = aContract({ constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } });
  const judged = (remote: boolean) =>
    judgePlan({
      contract,
      steps,
      safety_level: "standard",
      intent: contract.intent,
      proved: true,
      context: { home: "/home/op", remote },
    });

  test("with a reference is blocked when it is sent to an engine, even if it is proved", () => {
    const [finding, ...more] = judged(true);
    expect(more).toEqual([]);
    expect(Finding.parse(finding)).toMatchObject({
      step_index: 1,
      verdict: "block",
      code: "engine.reference",
      command: null,
      reason: expect.stringContaining("arguments.secret"),
    });
    expect(finding?.reason).not.toContain("f/orch/x");
  });

  test("with a reference may run on this machine, where it is a text", () => {
    expect(judged(false)).toEqual([]);
  });
});
