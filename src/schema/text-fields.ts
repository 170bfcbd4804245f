// Reads the fields of a query or of a command line, which are all text, as the numbers and booleans that their schema wants.
import type { z } from "zod";
import { jsonSchemaOf } from "./json-schema.ts";

type Fields = Readonly<Record<string, unknown>>;

type ReadText = (text: string) => unknown;

/** A text that is no number or boolean stays text: the schema refuses it by name. */
export function readTextFields(schema: z.ZodType, given: Fields): Fields {
  const readers = readersOf(schema);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === "string" ? (readers.get(name)?.(value) ?? value) : value,
    ]),
  );
}

const known = new WeakMap<z.ZodType, ReadonlyMap<string, ReadText>>();

function readersOf(schema: z.ZodType): ReadonlyMap<string, ReadText> {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { properties = {} } = jsonSchemaOf(schema, "input");
  const readers = new Map(
    Object.entries(properties).flatMap(([name, { type }]) => {
      const read = typeof type === "string" ? READERS.get(type) : undefined;
      return read === undefined ? [] : [[name, read] as const];
    }),
  );
  known.set(schema, readers);
  return readers;
}

/** As JSON writes a number, and with zeros before it. */
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,9})?$/;

export const numberInText = (text: string): number | string => (NUMBER.test(text) ? Number(text) : text);

const booleanInText = (text: string): boolean | string =>
  text === "true" || text === "false" ? text === "true" : text;

const READERS = new Map<string, ReadText>([
  ["number", numberInText],
  ["integer", numberInText],
  ["boolean", booleanInText],
]);
