// Converts records to rows and back (D-046). Columns have the names of the record's fields. Nested values are canonical JSON
// text, exactly the bytes that were hashed. The schemas of the domain parse what is read.
import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import { EVENT_BODIES, type EventKind, EventRecord, isMessage, type JournalEvent } from "../domain/journal.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Sop } from "../domain/sop.ts";
import { Task } from "../domain/task.ts";
import type { Row, Value } from "./sql.ts";

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The given fields as columns. Undefined fields, and fields that the schema does not know, have no column. */
export function rowOf(schema: { readonly shape: object }, record: object): Row {
  const given = new Map<string, unknown>(Object.entries(record));
  const columns = Object.keys(schema.shape).filter((column) => given.get(column) !== undefined);
  return Object.fromEntries(columns.map((column) => [column, columnOf(given.get(column))]));
}

const columnOf = (field: unknown): Value =>
  typeof field === "object" && field !== null ? canonicalJson(field) : Scalar.parse(field);

export const eventRow = (event: JournalEvent): Row => ({
  ...rowOf(EventRecord, event),
  message: isMessage(event.kind),
});

type Stored = Readonly<Record<string, unknown>>;

function read<T>(schema: z.ZodType<T>, name: string, json: readonly string[], row: Stored): T {
  const parsed = schema.safeParse(
    Object.fromEntries(
      Object.entries(row).map(([column, held]) => [
        column,
        json.includes(column) && typeof held === "string" ? fromJson(held) : held,
      ]),
    ),
  );
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new OrchError("database_unusable", `${name} in the database cannot be read: ${faults.join("; ")}`);
}

/** Invalid JSON stays text, which no schema of a nested field accepts. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const taskOf = (row: Stored & { task_id: string }): Task =>
  read(Task, `task ${row.task_id}`, ["contract", "outcome", "waiting", "verification"], row);

export const sopOf = (row: Stored & { sop_id: string }): Sop =>
  read(Sop, `SOP ${row.sop_id}`, ["target", "steps", "criteria", "preconditions"], row);

export const approvalOf = (row: Stored & { approval_id: string }): Approval =>
  read(Approval, `approval ${row.approval_id}`, ["content", "decision"], row);

type StoredEvent = Stored & { thread_id: string; seq: number; kind: string };

export function eventOf({ cursor: _cursor, message: _message, ...row }: StoredEvent): JournalEvent {
  const name = `event ${row.seq} of ${row.thread_id}`;
  const record = read(EventRecord, name, ["body"], row);
  if (!isEventKind(record.kind))
    throw new OrchError("database_unusable", `${name} has the unknown kind ${record.kind}`);
  const body = read<unknown>(EVENT_BODIES[record.kind], name, [], record.body as Stored);
  // The schema of this kind has parsed the body, a relation that the type of the table cannot express.
  return { ...record, body } as JournalEvent;
}

const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENT_BODIES, kind);
