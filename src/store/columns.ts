// Turns records into columns: one column for each field of its name.
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Prisma } from "./generated/sqlite/client.ts";

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

const listed = (columns: object): string => Object.keys(columns).join(", ");

/** The columns of each table that this version knows. A newer version may have added others, which are not read (D-329). */
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
