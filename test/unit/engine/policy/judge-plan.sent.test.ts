// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// What a plan sends: parameters that name nothing, more than an approval can show, and references of a flow engine.
import { describe, expect, test } from "vitest";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import type { Step } from "../../../../src/domain/step.ts";
import { judgePlan } from "../../../../src/engine/policy/judge-plan.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../../support/builders.ts";

const notes = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
const NOTES = aContract({ constraints: notes });

const judged = (steps: readonly Step[], contract: TaskContract, remote = false) =>
  judgePlan({
    contract,
    steps,
    safety_level: "standard",
    intent: contract.intent,
    proved: false,
    context: { home: "/home/op", remote },
  });
const codes = (...args: Parameters<typeof judged>) =>
  judged(...args).map(({ step_index, code }) => `${step_index} ${code}`);

describe("parameters", () => {
  test("an unknown name is blocked, also a nested one", () => {
    const step = mcpCall({ arguments: { a: "${target.service}", b: [{ c: "${payload.x.y}" }] } });
    expect(codes([step], NOTES)).toEqual(["0 parameter.unknown"]);
    expect(judged([step], NOTES)[0]?.reason).toContain("${payload.x.y}");
  });

  test("a known name and text around a name pass", () => {
    const step = mcpCall({ arguments: { a: "${target.service}", b: "see ${target.nothing} there" } });
    expect(codes([step], NOTES)).toEqual([]);
  });

  test.each([{ equals: { name: "${payload.name}" } }, { contains: "${payload.name}" }])(
    "an unknown name in what a call expects is blocked: %j",
    (expected) => {
      const [finding] = judged([mcpCall({ expect: expected })], NOTES);
      expect(finding).toEqual({
        step_index: 0,
        verdict: "block",
        code: "parameter.unknown",
        command: null,
        category: null,
        reason:
          "${payload.name} names nothing in the contract; correct the name, or put the value into target or payload",
      });
    },
  );
});

describe("what an approval cannot show", () => {
  const MAX = 1_048_576;
  const call = mcpCall({ arguments: { a: "${payload.text}" } });
  /** A contract with which the arguments of each such call have so many bytes. */
  const sending = (bytes: number) =>
    aContract({ constraints: notes, payload: { text: "x".repeat(bytes - '{"a":""}'.length) } });

  test("is blocked at the step with which the arguments exceed the limit", () => {
    expect(judged([cmd("ls"), call, call, call], sending(MAX / 2 + 1))).toEqual([
      {
        step_index: 2,
        verdict: "block",
        code: "parameter.too_large",
        command: null,
        category: null,
        reason: "with its parameters resolved, the steps come to more than 1048576 bytes; pass less of it",
      },
    ]);
  });

  test("does not include arguments of exactly the limit, and no command adds to them", () => {
    expect(judged([check("true"), wait("1s"), call, cmd("ls"), call], sending(MAX / 2))).toEqual([]);
  });

  test("is blocked where a parameter nests its argument too deep", () => {
    const nest = (value: unknown, levels: number): unknown => (levels === 0 ? value : { n: nest(value, levels - 1) });
    const contract = aContract({ constraints: notes, payload: { deep: nest(1, 20) } });
    const step = mcpCall({ arguments: { a: nest("${payload.deep}", 20) as string } });
    const [finding, ...others] = judged([wait("1s"), step], contract);
    expect(finding).toMatchObject({ step_index: 1, verdict: "block", code: "parameter.too_large" });
    expect(finding?.reason).toMatch(
      /^with its parameters resolved, a(\.n)+ is nested deeper than 32 levels; flatten it$/,
    );
    expect(others).toEqual([]);
  });
});

describe("a plan for a flow engine", () => {
  const contract = aContract({ payload: { token: "$var:f/prod/token" } });
  const steps = [cmd("ls"), cmd("$X --all")];

  test("is blocked for what the engine would replace, before its questions", () => {
    expect(codes(steps, contract, true)).toEqual(["0 engine.reference", "1 dyn.program"]);
  });

  test("has no such finding where its steps run locally", () => {
    expect(codes(steps, contract)).toEqual(["1 dyn.program"]);
  });
});
