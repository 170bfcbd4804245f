// The schemas of an operation as JSON Schema: OpenAPI and MCP publish the schemas that parse.
import { z } from "zod";
import { ELSEWHERE, VOCABULARY } from "../domain/contract.ts";

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

// The outline of an output: its fields that always have one type. A client may check an answer with it, and a model has little to
// read (D-209). What crosses the boundary is parsed by the whole schema.

export function shortSchemaOf(schema: z.core.$ZodType): Schema {
  const published = jsonSchemaOf(schema, "output");
  const forms = (published["anyOf"] as readonly Schema[] | undefined) ?? [published];
  const [{ properties = {} } = {}] = forms;
  const shared = Object.entries(properties).filter(([name, { type }]) =>
    forms.every((form) => typeof type === "string" && form.properties?.[name]?.["type"] === type),
  );
  const required = shared.map(([name]) => name).filter((name) => forms.every((form) => form.required?.includes(name)));
  return {
    type: "object",
    properties: Object.fromEntries(shared.map(([name, field]) => [name, outline(field)])),
    ...(required.length > 0 && { required }),
  };
}

const outline = ({ type, enum: values }: Schema): Schema => ({ type, ...(values !== undefined && { enum: values }) });

// A schema as models and their clients understand it: objects without alternatives, each field with one type and a sentence. The
// schema that parses stays the strict one; its errors name every wrong field (D-208).

/** The words of each vocabulary that a schema names. */
export type Words = Readonly<Record<string, readonly string[]>>;

export const flatSchemaOf = (schema: z.core.$ZodType, words: Words = {}): Schema =>
  flat(jsonSchemaOf(schema, "input"), words);

function flat(schema: Schema, words: Words): Schema {
  const { type, description, minimum, maximum } = schema;
  if (schema[ELSEWHERE] !== undefined) return described({ type }, description);
  const forms = (schema["oneOf"] ?? schema["anyOf"]) as readonly Schema[] | undefined;
  if (forms !== undefined) return described(merged(forms.map((form) => flat(form, words))), description);
  const limits = {
    ...(isLimit(minimum) && { minimum }),
    ...(isLimit(maximum) && { maximum }),
    ...(isScalar(schema["default"]) && { default: schema["default"] }),
  };
  return described({ type, ...enumOf(schema, words), ...limits, ...contentOf(schema, words) }, description);
}

const described = (schema: Schema, description: string | undefined): Schema =>
  description === undefined ? schema : { ...schema, description };

function enumOf(schema: Schema, words: Words): object {
  const { [VOCABULARY]: vocabulary, const: only, enum: some } = schema;
  const known = typeof vocabulary === "string" ? words[vocabulary] : undefined;
  const values = known ?? some ?? (only === undefined ? undefined : [only]);
  return values === undefined ? {} : { enum: values };
}

/** Zod publishes the limits of whole numbers, which say nothing. */
const isLimit = (bound: unknown): boolean => typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value) && value !== "";

/** An object with a field of any type is published without its fields: its description names them. */
function contentOf({ properties, required = [], additionalProperties, items }: Schema, words: Words): object {
  const rest = additionalProperties as Schema | boolean | undefined;
  if (items !== undefined) return { items: flat(items as Schema, words) };
  if (properties === undefined)
    return typeof rest === "object" && rest["type"] !== undefined ? { additionalProperties: flat(rest, words) } : {};
  const fields = Object.entries(properties).map(([name, field]) => [name, flat(field, words)] as const);
  if (fields.some(([, { type }]) => type === undefined)) return {};
  return {
    properties: Object.fromEntries(fields),
    ...(required.length > 0 && { required }),
    ...(rest === false && { additionalProperties: false }),
  };
}

/** One object with the fields of all forms. A field of some of them says of which. */
function merged(forms: readonly Schema[]): Schema {
  const [first] = forms;
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  const label = (form: Schema): string =>
    Object.values(form.properties ?? {}).flatMap((field) => singleValue(field) ?? [])[0] ?? "";
  const field = (name: string): Schema =>
    mergedField(
      forms.flatMap((form) => {
        const schema = form.properties?.[name];
        return schema === undefined ? [] : [{ form: label(form), schema }];
      }),
      forms.length,
    );
  const required = (first?.required ?? []).filter((name) => forms.every((form) => form.required?.includes(name)));
  return {
    type: "object",
    properties: Object.fromEntries([...names].map((name) => [name, field(name)])),
    required,
    additionalProperties: false,
  };
}

/** The value of a field that can have only this one, such as the kind of a step. */
function singleValue({ enum: values }: Schema): string | undefined {
  const [only, ...more] = Array.isArray(values) ? values : [];
  return typeof only === "string" && only !== "" && more.length === 0 ? only : undefined;
}

type Part = { readonly form: string; readonly schema: Schema };

function mergedField(parts: readonly Part[], forms: number): Schema {
  const [first] = parts;
  const values = parts.map(({ schema }) => schema["enum"]);
  const { enum: _enum, ...alike } = Object.fromEntries(
    Object.entries(first?.schema ?? {}).filter(([keyword, value]) =>
      parts.every(({ schema }) => JSON.stringify(schema[keyword]) === JSON.stringify(value)),
    ),
  );
  const every = values.every(Array.isArray) ? { enum: [...new Set(values.flat())] } : {};
  return { ...alike, ...every, description: sentenceOf(parts, forms) };
}

/** `cmd, check: the command; wait: a duration`. */
function sentenceOf(parts: readonly Part[], forms: number): string {
  const texts = Map.groupBy(parts, ({ schema }) => schema.description ?? "");
  if (texts.size === 1 && parts.length === forms) return parts[0]?.schema.description ?? "";
  return [...texts].map(([text, of]) => `${of.map(({ form }) => form).join(", ")}: ${text}`).join("; ");
}
