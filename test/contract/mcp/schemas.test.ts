// The published schemas of the tools: flat, described, and small enough to be read with every request of a model.
import { describe, expect, test } from "vitest";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { INTENTS } from "../../../src/domain/contract.ts";
import type { Schema } from "../../../src/schema/json-schema.ts";
import { held } from "../../support/held.ts";
import { startMcp } from "../../support/mcp-endpoint.ts";
import { tokensIn } from "../../support/tokens.ts";

const handle = () => {
  throw new Error("is only listed");
};

const endpoint = held(await startMcp({ operations: SHAPES.map((shape) => ({ ...shape, handle })) }));
const supervisor = held(await endpoint.connect());

const inputs = () => supervisor.tools.map(({ name, inputSchema }) => [name, inputSchema as Schema] as const);

/** Every schema in a schema, by its path. */
function* within(schema: Schema, path: string): Generator<readonly [string, Schema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* within(field, `${path}.${name}`);
  for (const keyword of ["items", "additionalProperties"]) {
    const held = schema[keyword];
    if (typeof held === "object" && held !== null) yield* within(held as Schema, `${path}.${keyword}`);
  }
}

const everywhere = () => inputs().flatMap(([name, schema]) => [...within(schema, name)]);

/** Of the fields of a schema, those without a sentence. */
const undescribed = ([path, { properties = {} }]: readonly [string, Schema]): string[] =>
  Object.entries(properties).flatMap(([name, { description = "" }]) =>
    description.length < 10 ? [`${path}.${name}`] : [],
  );

describe("the input schema of every tool", () => {
  test("describes each field, also in steps and contracts", () => {
    const all = everywhere();
    expect(all.map(([path]) => path)).toContain("teach.steps.items.value");
    expect(all.map(([path]) => path)).toContain("submit_task.constraints.implicit_scope");
    expect(all.flatMap(undescribed)).toEqual([]);
  });

  test("has one type in every place and no alternatives", () => {
    for (const [path, schema] of everywhere()) {
      expect(typeof schema["type"], path).toBe("string");
      for (const keyword of ["oneOf", "anyOf", "allOf", "$ref", "const", "pattern"])
        expect(Object.keys(schema), path).not.toContain(keyword);
    }
  });

  test("names the intents that the server knows, and those that only look", () => {
    const intent = inputs().find(([name]) => name === "submit_task")?.[1].properties?.["intent"];
    expect(intent?.["enum"]).toEqual([...INTENTS]);
    for (const looks of ["triage", "collect_logs", "health_check", "bootstrap_context"])
      expect(intent?.description).toContain(looks);
  });

  test("offers a step as one object with the fields of all kinds", () => {
    const steps = inputs().find(([name]) => name === "teach")?.[1].properties?.["steps"]?.["items"] as Schema;
    expect(steps.properties?.["kind"]?.["enum"]).toEqual(["cmd", "check", "wait", "mcp_call"]);
    expect(Object.keys(steps.properties ?? {})).toEqual(
      expect.arrayContaining(["value", "server", "tool", "arguments", "expect"]),
    );
    expect(steps.required).toEqual(["kind"]);
  });
});

describe("the list of tools", () => {
  const visible = () =>
    supervisor.tools.map(({ name, description, inputSchema }) => tokensIn({ name, description, inputSchema }));
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

  test("costs a model at most 7,200 tokens", () => {
    expect(sum(visible())).toBeLessThanOrEqual(7_200);
  });

  test("has at most 12,000 tokens with everything that hosts read", () => {
    expect(tokensIn(supervisor.tools)).toBeLessThanOrEqual(12_000);
  });

  test("spells out SOP where a model meets it first", () => {
    const [first] = supervisor.tools;
    expect(first?.description).toContain("SOP (standard operating procedure)");
    expect(supervisor.client.getInstructions()).toContain("standard operating procedures");
  });
});
