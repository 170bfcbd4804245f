// Records as columns: one column for each field of its name.
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { digestOf } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Prisma } from "./generated/sqlite/client.ts";

// A sum over the columns of a row, written with it and compared when it is read: neither database sees that a value on the
// disk has changed (D-244). An event has its hash instead, which also holds its place.

type Row = Readonly<Record<string, unknown>>;
export type Summed = { readonly row_sum: string };

/** A row from before there were sums. It gets one at the next start, or when it is written. */
export const NO_SUM = "";

/**
 * Renewed in one statement for many rows, and read only to know how long another server may live, or not at all. Any server may ask another
 * one to drain, whose commits go on naming the sum of its row. A server of the version before does not know the secret, the clock and the
 * windows.
 */
const UNSUMMED = [
  ...["row_sum", "lease_expires_at", "seen_at", "drain_asked_at"],
  ...["output_secret", "skew_ms", "windows_digest"],
] as const;

/** Half of a SHA-256, as text. A column without a value has no part in it, so that a new one changes no sum. */
function sumOf(row: object): string {
  const summed = Object.entries(row).filter(([column, value]) => value !== null && !isUnsummed(column));
  return digestOf(Object.fromEntries(summed.map(([column, value]) => [column, textOf(value)]))).slice(0, 32);
}

const isUnsummed = (column: string): boolean => UNSUMMED.some((unsummed) => unsummed === column);

const textOf = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
    : value;

export const withSum = <T extends object>(row: T): T & Summed => ({ ...row, row_sum: sumOf(row) });

export const isWhole = (row: object): boolean => {
  const { row_sum }: Row = { ...row };
  return row_sum === NO_SUM || row_sum === sumOf(row);
};

/** The sum of a row after a change. What was damaged is not made whole by it, unless every column is set. */
export function sumAfter(row: Summed & object, set: object): string {
  const isNew = Object.keys(row).every((column) => isUnsummed(column) || Object.hasOwn(set, column));
  return isNew || isWhole(row) ? sumOf({ ...row, ...set }) : row.row_sum;
}

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

// The columns of each table that this version knows. A newer version may have added others, which are not read (D-329).

const listed = (columns: object): string => Object.keys(columns).join(", ");

export const KNOWN_COLUMNS = {
  task: listed(Prisma.TaskScalarFieldEnum),
  sop: listed(Prisma.SopScalarFieldEnum),
  approval: listed(Prisma.ApprovalScalarFieldEnum),
  check_look: listed(Prisma.CheckLookScalarFieldEnum),
  delivery: listed(Prisma.DeliveryScalarFieldEnum),
  task_score: listed(Prisma.TaskScoreScalarFieldEnum),
  duty: listed(Prisma.DutyScalarFieldEnum),
  schedule: listed(Prisma.ScheduleScalarFieldEnum),
  work_freeze: listed(Prisma.FreezeScalarFieldEnum),
  target_hold: listed(Prisma.TargetHoldScalarFieldEnum),
  journal_event: listed(Prisma.JournalEventScalarFieldEnum),
  archived: listed(Prisma.ArchivedScalarFieldEnum),
  server: listed(Prisma.ServerScalarFieldEnum),
} as const;
