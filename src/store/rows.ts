// Writes records of the domain to rows and reads them back: the schemas of the domain parse what is read (D-046). A row that does not fit,
// or whose columns have another sum than when it was written (D-244), is refused with `quarantined`, and left out of a list (D-231).

import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { isNewer, isQuarantined, isUnreadable, OrchError } from "../domain/errors.ts";
import {
  EVENT_BODIES,
  type EventKind,
  EventRecord,
  FIRST_HASH,
  hashOfText,
  isMessage,
  type JournalEvent,
} from "../domain/journal.ts";
import { digestOf } from "../domain/json.ts";
import { canonicalJson, jsonOrText } from "../domain/json-values.ts";
import { MEND, type Quarantine, type Quarantined } from "../domain/quarantine.ts";
import { Sop } from "../domain/sop.ts";
import { Task } from "../domain/task.ts";
import { UnverifiedTask } from "../domain/verification.ts";
import { kindOf } from "./database-errors.ts";
import type { JournalEvent as EventRow, Prisma, PrismaClient } from "./generated/sqlite/client.ts";

type Stored = Readonly<Record<string, unknown>>;

/** Invalid JSON stays text, which no schema of a nested field accepts. */
export function read<T>(schema: z.ZodType<T>, name: string, json: readonly string[], held: Stored): T {
  const { row_sum, ...row } = held;
  const parsed = schema.safeParse(
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        json.includes(column) && typeof value === "string" ? jsonOrText(value) : value,
      ]),
    ),
  );
  if (parsed.success && (row_sum === undefined || isWhole(held))) return parsed.data;
  if (parsed.success) throw altered(name);
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${shortened(message)}`);
  const shown = faults.slice(0, MAX_FAULTS).join("; ");
  const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : "";
  throw damaged(`${name} in the database cannot be read: ${shown}${more}`);
}

const MAX_FAULTS = 3;
const MAX_FAULT = 120;

const shortened = (message: string): string =>
  message.length > MAX_FAULT ? `${message.slice(0, MAX_FAULT).toWellFormed()}...` : message;

export const taskOf = (row: Stored & { task_id: string }): Task =>
  read(Task, `task ${row.task_id}`, ["contract", "outcome", "waiting", "verification", "runs_on"], row);

/** Labels that cannot be read are none: who reads the whole row finds the damage. */
export const columnsOf = <T extends { readonly runs_on: string | null }>({ runs_on, ...row }: T) => ({
  ...row,
  runs_on: Task.shape.runs_on.safeParse(runs_on === null ? null : jsonOrText(runs_on)).data ?? null,
});

export const sopOf = (row: Stored & { sop_id: string }): Sop =>
  read(Sop, `SOP ${row.sop_id}`, ["target", "steps", "criteria", "preconditions"], row);

export const approvalOf = (row: Stored & { approval_id: string }): Approval =>
  read(Approval, `approval ${row.approval_id}`, ["content", "decision"], row);

export const unverifiedOf = (row: Stored & { task_id: string }): UnverifiedTask =>
  read(UnverifiedTask, `task ${row.task_id}`, ["contract"], row);

/** An event as it can be shown: what its hash says of it is for its reader to see. */
export function eventOf({ cursor: _cursor, message: _message, ...row }: EventRow): JournalEvent {
  const name = nameOf(row);
  const record = read(EventRecord, name, ["body"], row);
  if (!isEventKind(record.kind)) throw unknownTo(record, row.body, `the unknown kind ${JSON.stringify(record.kind)}`);
  const body = bodyIn(record, record.kind, row.body);
  // The schema of this kind has parsed the body, a relation that the type of the table cannot express.
  return { ...record, body } as JournalEvent;
}

type Recorded = z.infer<typeof EventRecord>;

function bodyIn(record: Recorded, kind: EventKind, text: string): unknown {
  try {
    return read<unknown>(EVENT_BODIES[kind], nameOf(record), [], record.body as Stored);
  } catch (error) {
    const newer = isQuarantined(error)
      ? unknownTo(record, text, `a body of ${kind} that this version does not know`)
      : error;
    throw isNewer(newer) ? newer : error;
  }
}

/** One that is as it was written is of a newer version. */
function unknownTo(record: Recorded, body: string, what: string): OrchError {
  const fault = `${nameOf(record)} has ${what}`;
  if (hashOfText(record as Parameters<typeof hashOfText>[0], body) !== record.hash) return damaged(fault);
  const fix = "ask a server of that version, or update this one";
  return new OrchError("journal_newer", `${fault}, which a newer version of orch has written`, { fix });
}

const nameOf = ({ seq, thread_id }: Pick<EventRow, "seq" | "thread_id">) => `event ${seq} of ${thread_id}`;

export function wholeEventOf(row: EventRow): JournalEvent {
  const event = eventOf(row);
  if (hashOfText(event, row.body) !== row.hash || row.message !== isMessage(event.kind)) throw altered(nameOf(row));
  return event;
}

/** A whole journal, each event after the one before: what a task goes on from. */
export function journalOf(rows: readonly EventRow[]): JournalEvent[] {
  let last: Pick<JournalEvent, "seq" | "hash"> = { seq: 0, hash: FIRST_HASH };
  return rows.map((row) => {
    const event = wholeEventOf(row);
    if (event.seq !== last.seq + 1 || event.prev_hash !== last.hash) {
      throw damaged(`${nameOf(row)} in the database does not follow from the event before it`);
    }
    last = event;
    return event;
  });
}

const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENT_BODIES, kind);

export const altered = (name: string): OrchError =>
  damaged(`${name} in the database is not as orch wrote it: its checksum does not fit`);

export const damaged = (message: string): OrchError => new OrchError("quarantined", message, { fix: MEND });

type Find<Row> = (page: { take: number; after: string | undefined }) => Promise<Row[]>;

type Reading<Row, T> = {
  readonly record: Quarantined["record"];
  readonly idOf: (row: Row) => string;
  readonly parse: (row: Row) => T;
  readonly onDamaged: Quarantine["add"];
  /** Of rows that a query selects by less than what is wanted. */
  readonly isWanted?: (record: T) => boolean;
};

/** The record of a row that may be missing. */
export const readRow = async <Row, T>(row: Promise<Row | null>, parse: (row: Row) => T): Promise<T | null> => {
  const found = await row;
  return found === null ? null : parse(found);
};

export function readable<Row, T>(rows: readonly Row[], reading: Reading<Row, T>): T[] {
  const { record, idOf, parse, onDamaged, isWanted = () => true } = reading;
  return rows.flatMap((row) => {
    try {
      return [parse(row)].filter(isWanted);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      onDamaged({ record, id: idOf(row), fault: error.message });
      return [];
    }
  });
}

/** As many as the page asks for, also where some of the rows cannot be read: a shorter page is the last one. */
export async function readPage<Row, T>(
  page: { readonly limit: number; readonly after?: string | undefined },
  find: Find<Row>,
  reading: Reading<Row, T>,
): Promise<T[]> {
  const found: T[] = [];
  for (let after = page.after; ; ) {
    const take = page.limit - found.length;
    const rows = await find({ take, after });
    found.push(...readable(rows, reading));
    const last = rows.at(-1);
    if (last === undefined || rows.length < take || found.length === page.limit) return found;
    after = reading.idOf(last);
  }
}

/** Without those that are undefined. */
export const given = <T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

// Sums the columns of a row: the sum is written with it and compared when it is read, because neither database sees that a
// value on the disk has changed (D-244). An event has its hash instead, which also holds its place.

type Row = Readonly<Record<string, unknown>>;
type Summed = { readonly row_sum: string };

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

const PAGE = 500;
const PAGE_OF_UNSUMMED = { where: { row_sum: NO_SUM }, take: PAGE };

/**
 * Gives a sum to the rows that were written before there were sums, once, at the first start after the migration. Checkpoints get theirs
 * when they are written again.
 */
export async function addSums(client: PrismaClient): Promise<void> {
  const { task, sop, approval, checkLook, delivery } = client;
  const inPages = async <Row extends Summed>(
    find: () => Promise<Row[]>,
    update: (data: Summed, row: Row) => Prisma.PrismaPromise<{ count: number }>,
  ): Promise<void> => {
    for (;;) {
      const rows = await find();
      const done = await client.$transaction(rows.map((row) => update({ row_sum: withSum(row).row_sum }, row)));
      // A row whose key is damaged stays without.
      if (rows.length < PAGE || done.every(({ count }) => count === 0)) return;
    }
  };
  await inPages(
    () => task.findMany(PAGE_OF_UNSUMMED),
    (data, { task_id }) => task.updateMany({ where: { task_id }, data }),
  );
  await inPages(
    () => sop.findMany(PAGE_OF_UNSUMMED),
    (data, { sop_id }) => sop.updateMany({ where: { sop_id }, data }),
  );
  await inPages(
    () => approval.findMany(PAGE_OF_UNSUMMED),
    (data, { approval_id }) => approval.updateMany({ where: { approval_id }, data }),
  );
  await inPages(
    () => checkLook.findMany(PAGE_OF_UNSUMMED),
    (data, { kind, digest }) => checkLook.updateMany({ where: { kind, digest }, data }),
  );
  await inPages(
    () => delivery.findMany(PAGE_OF_UNSUMMED),
    (data, { receiver }) => delivery.updateMany({ where: { receiver }, data }),
  );
}

// Turns records into columns: one column for each field of its name.

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

/** `raced`: the row was changed between the two statements. */
export type Applied = boolean | "raced";

/** The sum is over what was read, so the update expects the sum that was read with it. */
export const rewritten = (update: Promise<{ readonly count: number }>): Promise<Applied> =>
  holds(update.then(({ count }) => (count > 0 ? true : "raced")));

export const made = (write: Promise<unknown>): Promise<Applied> => holds(write.then(() => true));

/** A unique index refuses a write when its id or version exists, or when another SOP of the key is active. */
async function holds(write: Promise<Applied>): Promise<Applied> {
  try {
    return await write;
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}
