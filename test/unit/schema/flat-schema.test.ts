// The flat form of schemas, as models read it.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { submitTask } from "../../../src/api/operations/shapes/tasks.ts";
import { Intent, SentContract, VOCABULARY } from "../../../src/domain/contract.ts";
import { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { flatSchemaOf } from "../../../src/schema/json-schema.ts";

const fieldOf = (schema: z.ZodType, words = {}) =>
  flatSchemaOf(z.strictObject({ field: schema }), words).properties?.["field"];

describe("a flat schema", () => {
  test("merges the forms of a union into one object that says which field belongs to which form", () => {
    const Shape = z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("dot").describe("a point"), size: z.int().describe("in pixels") }),
      z.strictObject({
        kind: z.literal("line").describe("a stroke"),
        size: z.int().describe("in pixels"),
        to: z.string(),
      }),
      z.strictObject({ kind: z.literal("none").describe("nothing") }),
    ]);
    expect(fieldOf(Shape)).toEqual({
      type: "object",
      properties: {
        kind: {
          type: "string",
          enum: ["dot", "line", "none"],
          description: "dot: a point; line: a stroke; none: nothing",
        },
        size: { type: "integer", description: "dot, line: in pixels" },
        to: { type: "string", description: "line: " },
      },
      required: ["kind"],
      additionalProperties: false,
    });
  });

  test("has the words that the server knows in the place of a pattern", () => {
    const words = { intents: ["deploy", "sing"] };
    expect(fieldOf(Intent.describe("what to do"), words)).toEqual({
      type: "string",
      enum: ["deploy", "sing"],
      description: "what to do",
    });
    expect(fieldOf(Intent)).toEqual({ type: "string" });
    expect(JSON.stringify(fieldOf(Intent))).not.toContain(VOCABULARY);
  });

  test("has a contract without its fields where another tool takes one", () => {
    const description = "A task contract: an object with the fields that submit_task takes.";
    expect(fieldOf(SentContract)).toEqual({ type: "object", description });
    expect(Object.keys(flatSchemaOf(submitTask.input).properties ?? {})).toContain("constraints");
  });

  test("publishes an object with a field of any type without its fields", () => {
    expect(fieldOf(z.strictObject({ path: z.string(), equals: JsonValue }).describe("path and equals"))).toEqual({
      type: "object",
      description: "path and equals",
    });
    expect(fieldOf(JsonObject.default({}).describe("any fields"))).toEqual({
      type: "object",
      description: "any fields",
    });
  });

  test("keeps limits and defaults that say something, and no patterns", () => {
    expect(fieldOf(z.int().min(1).max(500).default(50))).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 50,
    });
    expect(fieldOf(z.int())).toEqual({ type: "integer" });
    expect(fieldOf(z.uuid())).toEqual({ type: "string" });
    expect(fieldOf(z.array(z.string().max(9)).default([]))).toEqual({ type: "array", items: { type: "string" } });
    expect(fieldOf(z.record(z.string(), z.string()))).toEqual({
      type: "object",
      additionalProperties: { type: "string" },
    });
  });
});
