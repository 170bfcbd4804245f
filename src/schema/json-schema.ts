// The schemas of an operation as JSON Schema: OpenAPI and MCP publish the schemas that parse.
import { z } from "zod";

export type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
};

/** A schema that refers to itself cannot be placed inside another document: it fails here, at start. */
export function jsonSchemaOf(schema: z.core.$ZodType, io: "input" | "output"): Schema {
  const options = { io, unrepresentable: "any", cycles: "throw", override: describeTransform } as const;
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, options);
  return rest as Schema;
}

/**
 * The output of a transform is code and would be published as an unrestricted value, which overlaps with every other form of a `oneOf`.
 * Its input is published instead: our transforms return a form that they accept.
 */
function describeTransform({ zodSchema, jsonSchema: published }: Overriding): void {
  const { def } = zodSchema._zod;
  if (def.type !== "pipe" || def.out._zod.def.type !== "transform" || Object.keys(published).length > 0) return;
  Object.assign(published, jsonSchemaOf(def.in, "input"));
}

type Overriding = Parameters<NonNullable<z.core.ToJSONSchemaParams["override"]>>[0];
