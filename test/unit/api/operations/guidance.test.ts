// The texts for models name only operations and fields that exist.
import { expect, test } from "vitest";
import { HOW_TO_READ, HOW_TO_TEACH } from "../../../../src/api/mcp/prompts.ts";
import { INSTRUCTIONS } from "../../../../src/api/operations/guidance.ts";
import type { OperationShape } from "../../../../src/api/operations/operation.ts";
import { SHAPES } from "../../../../src/api/operations/shapes.ts";
import { Evidence } from "../../../../src/engine/evidence/bundle.ts";

const names = new Set(SHAPES.map(({ name }) => name));
const GUIDANCE = SHAPES.flatMap(({ guidance }: OperationShape) => guidance ?? []);
const EVERYTHING = [INSTRUCTIONS, ...GUIDANCE, HOW_TO_TEACH, HOW_TO_READ];

test("every operation that a text names exists", () => {
  const verbs = [...names].flatMap((name) => (name.includes("_") ? [name.slice(0, name.indexOf("_"))] : []));
  const named = EVERYTHING.flatMap((text) => text.match(new RegExp(`\\b(${verbs.join("|")})_[a-z]+\\b`, "g")) ?? []);
  expect(new Set(named).size).toBeGreaterThan(5);
  for (const name of named) expect(names).toContain(name);
});

test("the fields that a model reads are fields of the evidence", () => {
  for (const field of ["outcome", "verdict", "gate_answers", "findings", "approvals", "agent_calls", "agent_end"]) {
    expect(HOW_TO_READ).toContain(field);
    expect(Object.keys(Evidence.shape)).toContain(field);
  }
});

test("instructions and guidance have fewer than 1,000 characters each", () => {
  for (const text of [INSTRUCTIONS, ...GUIDANCE]) expect(text.length).toBeLessThan(1_000);
});
