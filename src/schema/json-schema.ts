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
  const options = { io, unrepresentable: "any", cycles: "throw", override: published } as const;
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, options);
  return rest as Schema;
}

/** All of them by name, where one that holds another refers to it by `refTo` of its name. */
export function jsonSchemasOf(
  named: Iterable<readonly [name: string, schema: z.ZodType]>,
  io: "input" | "output",
  refTo: (name: string) => string,
): ReadonlyMap<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const override = io === "input" ? publishedInput : published;
  const options = { io, unrepresentable: "any", cycles: "throw", override, uri: refTo } as const;
  const { schemas } = z.toJSONSchema(registry, options);
  const alone = ([name, { $schema: _dialect, $id: _id, ...rest }]: [string, object & Record<string, unknown>]): [
    string,
    Schema,
  ] => [name, rest as Schema];
  return new Map(Object.entries(schemas).map(alone));
}

/**
 * The output of a transform is code and would be published as an unrestricted value, which overlaps with every other form of a `oneOf`.
 * Its input is published instead: our transforms return a form that they accept.
 */
function describeTransform({ zodSchema, jsonSchema }: Overriding): void {
  const { def } = zodSchema._zod;
  if (def.type !== "pipe" || def.out._zod.def.type !== "transform" || Object.keys(jsonSchema).length > 0) return;
  Object.assign(jsonSchema, jsonSchemaOf(def.in, "input"));
}

/** Any value or null is any value. */
function describeAnything({ jsonSchema }: Overriding): void {
  const isAnything = (form: object) => Object.keys(form).length === 0;
  if (jsonSchema.anyOf?.some(isAnything) === true) delete jsonSchema.anyOf;
}

function published(overriding: Overriding): void {
  describeTransform(overriding);
  describeAnything(overriding);
}

/** No text that is sent may hold NUL. A pattern, a format or a value says more. */
function publishedInput(overriding: Overriding): void {
  published(overriding);
  const { jsonSchema } = overriding;
  const saysMore = ["pattern", "format", "const", "enum"].some((keyword) => Object.hasOwn(jsonSchema, keyword));
  if (jsonSchema.type === "string" && !saysMore) jsonSchema.pattern = "^[^\\u0000]*$";
}

type Overriding = Parameters<NonNullable<z.core.ToJSONSchemaParams["override"]>>[0];
