// The outline of outputs.
import { expect, test } from "vitest";
import { z } from "zod";
import { shortSchemaOf } from "../../../src/schema/json-schema.ts";

test("an outline has the fields of one type, without what is in them", () => {
  const Output = z.strictObject({
    id: z.string().max(3).describe("of it"),
    status: z.enum(["a", "b"]),
    end: z.string().nullable(),
    parts: z.array(z.strictObject({ n: z.int() })),
    note: z.string().optional(),
  });
  expect(shortSchemaOf(Output)).toEqual({
    type: "object",
    properties: {
      id: { type: "string" },
      status: { type: "string", enum: ["a", "b"] },
      parts: { type: "array" },
      note: { type: "string" },
    },
    required: ["id", "status", "parts"],
  });
});

test("an outline of two forms has what both have", () => {
  const forms = z.union([
    z.strictObject({ id: z.string(), short: z.string(), n: z.int() }),
    z.strictObject({ id: z.string(), n: z.string() }),
  ]);
  expect(shortSchemaOf(forms)).toEqual({ type: "object", properties: { id: { type: "string" } }, required: ["id"] });
});
