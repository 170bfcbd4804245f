// Records as columns: one column for each field of its name.
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { canonicalJson } from "../domain/json-values.ts";

type Scalar = string | number | boolean | null;
type Column<T> = T extends Scalar | undefined ? T : string;
type Columns<T> = { [K in keyof T]: Column<T[K]> };

const Scalars = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The given fields as columns of their names; nested values are canonical JSON text, the bytes that were hashed (D-046). Undefined fields, and fields that the schema does not know, have no column. */
export function rowOf<T extends object>(schema: { readonly shape: object }, record: T): Columns<T> {
  const given = new Map<string, unknown>(Object.entries(record));
  const columns = Object.keys(schema.shape).filter((column) => given.get(column) !== undefined);
  return Object.fromEntries(columns.map((column) => [column, columnOf(given.get(column))])) as Columns<T>;
}

const columnOf = (field: unknown): Scalar =>
  typeof field === "object" && field !== null ? canonicalJson(field) : storable(Scalars.parse(field));

/**
 * PostgreSQL refuses NUL in text; SQLite would store it and not find it again. Half of a surrogate pair has no encoding and
 * would be stored as another character (D-053). JSON text escapes both.
 */
function storable(value: Scalar): Scalar {
  if (typeof value !== "string" || (!value.includes("\0") && value.isWellFormed())) return value;
  const message = "text with a NUL character or half of a surrogate pair cannot be stored; remove it";
  throw new OrchError("input_invalid", message);
}
