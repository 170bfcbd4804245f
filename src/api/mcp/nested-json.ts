// Reads arguments of tools that a client sent as JSON text where the schema wants an object, an array, a number or a boolean, and
// leaves out null and empty text where a field may be absent (D-414). Values of free form stay as they are.
import type { FieldIssue } from "../../domain/errors.ts";
import { MAX_DEPTH, structuralIssue } from "../../domain/json.ts";
import { jsonTextIssue } from "../../domain/json-values.ts";
import type { Schema } from "../../schema/json-schema.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ReadArguments =
  | { readonly ok: true; readonly value: Fields }
  | { readonly ok: false; readonly issue: FieldIssue };

/** An input that nests too deep is returned as it is: the operation refuses it. */
export function readArguments(schema: Schema, input: Fields): ReadArguments {
  if (structuralIssue(input) !== null) return { ok: true, value: input };
  const issues: FieldIssue[] = [];
  const value = readFields([schema], input, { path: [], issues });
  const [issue] = issues;
  return issue === undefined ? { ok: true, value } : { ok: false, issue };
}

type Place = { readonly path: readonly string[]; readonly issues: FieldIssue[] };

const inside = ({ path, issues }: Place, key: string): Place => ({ path: [...path, key], issues });

function read(schema: Schema, given: unknown, place: Place): unknown {
  const forms = formsOf(schema);
  const value = typeof given === "string" ? readText(forms, given, place) : given;
  if (Array.isArray(value)) {
    const items = forms.flatMap(({ items: one }) => (one === undefined ? [] : [one as Schema]));
    return value.map((item, index) =>
      items[0] === undefined ? item : read(items[0], item, inside(place, `${index}`)),
    );
  }
  return isObject(value) ? readFields(forms, value, place) : value;
}

/** The text itself unless it is JSON of a kind that the schema wants, and the schema wants no text. */
function readText(forms: readonly Schema[], text: string, { path, issues }: Place): unknown {
  const kinds = forms.flatMap(kindsOf);
  if (kinds.length === 0 || kinds.includes("string")) return text;
  const value = parsed(text);
  if (!kinds.includes(kindOf(value))) return text;
  const issue = jsonTextIssue(text, MAX_DEPTH);
  if (issue !== null) issues.push({ ...issue, path: [...path, issue.path].filter(Boolean).join(".") });
  return value;
}

function readFields(all: readonly Schema[], object: Fields, place: Place): Fields {
  const forms = matching(all, object);
  const entries = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const having = formsWith(name, forms);
    // A client that sends each published field also sends those of the other kinds.
    if (having.length === 0 && formsWith(name, all).length > 0) return isEmpty(value) ? [] : [[name, value]];
    const field = having.length > 0 ? { anyOf: having.map(({ properties }) => properties?.[name]) } : restOf(forms);
    if (field === null) return [[name, value]];
    const isOptional = having.some(({ required = [] }) => !required.includes(name));
    if (isEmpty(value) && isOptional && !acceptsNull(field)) return [];
    return [[name, read(field, value, inside(place, name))]];
  });
  return Object.fromEntries(entries);
}

const formsWith = (name: string, forms: readonly Schema[]): readonly Schema[] =>
  forms.filter(({ properties }) => properties !== undefined && Object.hasOwn(properties, name));

/** What clients send for a field that they leave out. */
export const isEmpty = (value: unknown): boolean => value === null || value === "";

/** The schema of fields without a name, as those of a target. Null where any value is right. */
function restOf(forms: readonly Schema[]): Schema | null {
  const rest = forms.map(({ additionalProperties }) => additionalProperties).find(isObject);
  return rest === undefined ? null : rest;
}

/** The alternatives of a schema; a schema without any is one. */
function formsOf(schema: Schema): readonly Schema[] {
  const forms = (schema["oneOf"] ?? schema["anyOf"]) as readonly Schema[] | undefined;
  return forms === undefined ? [schema] : forms.flatMap(formsOf);
}

/** The alternatives of the kind that the object names; all of them where it names none. */
function matching(forms: readonly Schema[], object: Fields): readonly Schema[] {
  const chosen = forms.filter(({ properties = {} }) =>
    Object.entries(properties).every(
      ([name, field]) => field["const"] === undefined || field["const"] === object[name],
    ),
  );
  return chosen.length > 0 ? chosen : forms;
}

const ANY = ["string", "null"];

/** A schema without a type takes any value. */
function kindsOf({ type, const: only, enum: some }: Schema): readonly string[] {
  if (type !== undefined) return [type].flat().map((one) => (one === "integer" ? "number" : String(one)));
  const values = only === undefined ? some : [only];
  return Array.isArray(values) ? values.map(kindOf) : ANY;
}

const acceptsNull = (schema: Schema): boolean => formsOf(schema).flatMap(kindsOf).includes("null");

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

const isObject = (value: unknown): value is Fields => kindOf(value) === "object";

/** The text itself where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
