// The schemas of an operation as JSON Schema: those that parse are those that OpenAPI and MCP publish.
import { z } from "zod";

export type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
};

/** A schema that refers to itself could not be placed inside another document: it fails here, at start. */
export function jsonSchemaOf(schema: z.core.$ZodType, io: "input" | "output"): Schema {
  const options = { io, unrepresentable: "any", cycles: "throw", override: describeTransform } as const;
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, options);
  return rest as Schema;
}

/**
 * What a transform gives is code and would be published as anything at all, which among the forms of a `oneOf` matches
 * whatever another one does. What it takes is published instead: ours give back a form that they take.
 */
function describeTransform({ zodSchema, jsonSchema: published }: Overriding): void {
  const { def } = zodSchema._zod;
  if (def.type !== "pipe" || def.out._zod.def.type !== "transform" || Object.keys(published).length > 0) return;
  Object.assign(published, jsonSchemaOf(def.in, "input"));
}

type Overriding = Parameters<NonNullable<z.core.ToJSONSchemaParams["override"]>>[0];
