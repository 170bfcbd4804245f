// Values for a published JSON Schema, as fast-check generates them: most of them fit, some of them are spoiled somewhere.
import fc from "fast-check";
import type { PublishedSchema } from "./published-document.ts";

type Schemas = Readonly<Record<string, PublishedSchema>>;

/** Values for fields of this name, in the place of those that the schema gives. */
export type Known = ReadonlyMap<string, fc.Arbitrary<unknown>>;

const MAX_ITEMS = 3;
/** One value in so many is anything at all. */
const SPOILED = 25;

export function valuesOf(schema: PublishedSchema, schemas: Schemas, known: Known): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema, schemas, known);
  const anything = fc.oneof(
    fc.constantFrom(null, "", -1, 1e300, [], {}, "\0", "💥", "../.."),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc.oneof({ arbitrary: fitting, weight: SPOILED }, { arbitrary: anything, weight: 1 });
}

function fittingOf(schema: PublishedSchema, schemas: Schemas, known: Known): fc.Arbitrary<unknown> {
  const { $ref, enum: values, type, anyOf, oneOf } = schema;
  if (typeof $ref === "string") return valuesOf(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas, known);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (Object.hasOwn(schema, "const")) return fc.constant(schema["const"]);
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms)) return fc.oneof(...forms.map((form) => valuesOf(form, schemas, known)));
  const [first, ...others] = Array.isArray(type) ? type : [type];
  if (others.length > 0)
    return fc.oneof(...[first, ...others].map((one) => fittingOf({ ...schema, type: one }, schemas, known)));
  switch (first) {
    case "string":
      return stringsOf(schema);
    case "integer":
      return fc.integer({
        min: Math.max(Number(schema["minimum"] ?? 0), -1_000),
        max: Math.min(Number(schema["maximum"] ?? 9), 1_000),
      });
    case "number":
      return fc.constantFrom(0, 0.5, 1);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valuesOf(asSchema(schema["items"]), schemas, known), { maxLength: MAX_ITEMS });
    case "object":
      return objectsOf(schema, schemas, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function stringsOf({ format, pattern, minLength = 0, maxLength = 40 }: PublishedSchema): fc.Arbitrary<string> {
  if (format === "date-time") return fc.constantFrom("2026-03-06T09:00:00Z", "2026-03-06T09:00:00+09:00");
  if (format === "uuid") return fc.uuid();
  const maximum = Math.min(Number(maxLength), 40);
  if (typeof pattern !== "string")
    return fc.string({ minLength: Number(minLength), maxLength: maximum, unit: "binary" });
  return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, Math.max(1, maximum)));
}

function objectsOf(schema: PublishedSchema, schemas: Schemas, known: Known): fc.Arbitrary<unknown> {
  const { required = [], additionalProperties, properties = {} } = schema;
  const fields = Object.entries(Object(properties)).map(
    ([name, held]) => [name, known.get(name) ?? valuesOf(asSchema(held), schemas, known)] as const,
  );
  const named = fc.record(Object.fromEntries(fields), { requiredKeys: Array.isArray(required) ? required : [] });
  if (typeof additionalProperties !== "object" || additionalProperties === null) return named;
  const others = fc.dictionary(
    fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
    valuesOf(asSchema(additionalProperties), schemas, known),
    {
      maxKeys: 2,
    },
  );
  return fc.tuple(others, named).map(([more, own]) => ({ ...more, ...own }));
}

const asSchema = (value: unknown): PublishedSchema => (typeof value === "object" && value !== null ? { ...value } : {});

/** The same value with one thing wrong in it: a field of another type or too many, one that is not there, or a text with NUL. */
export const spoiled = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), fc.constantFrom(...SPOILS)).map(([value, at, spoil]) => {
    const places = placesIn(value);
    return replaced(value, places[at % Math.max(1, places.length)] ?? [], spoil);
  });

const GONE = Symbol("the field is left out");

const SPOILS: readonly ((held: unknown) => unknown)[] = [
  () => GONE,
  () => null,
  () => -1,
  () => 1e300,
  () => "",
  () => " ",
  () => [],
  (held) => (typeof held === "string" ? 7 : "7"),
  (held) => (typeof held === "string" ? `${held}\0` : [held]),
  (held) => (typeof held === "string" ? held.padEnd(20_000, "x") : held),
  (held) => (isFields(held) ? { ...held, zz_further: 1 } : { held }),
  (held) => (Array.isArray(held) ? [...held, ...held] : held),
];

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Path = readonly string[];

const placesIn = (value: unknown, path: Path = []): Path[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, held]) => [[...path, key], ...placesIn(held, [...path, key])])
    : [];

function replaced(value: unknown, [key, ...rest]: Path, spoil: (held: unknown) => unknown): unknown {
  if (key === undefined) return spoil(value);
  if (Array.isArray(value))
    return value
      .map((held, nth) => (String(nth) === key ? replaced(held, rest, spoil) : held))
      .filter((held) => held !== GONE);
  return Object.fromEntries(
    Object.entries(Object(value))
      .map(([name, held]) => [name, name === key ? replaced(held, rest, spoil) : held])
      .filter(([, held]) => held !== GONE),
  );
}
