// Writes everything except a lease or a checkpoint: journal events and the changes that belong to them, all or nothing. The
// whole commit is rolled back when the expectation of a change does not hold.
import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import { chain, EventRecord, isMessage, type JournalEvent } from "../domain/journal.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Sop } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import type { Change, Clock, Commit, CommitResult } from "../ports.ts";
import type { Database, Session } from "./database.ts";
import { isWriteConflict, kindOf } from "./fault.ts";
import { insertEvents, messageOrder } from "./sql.ts";

// A statement may bind 32,766 values; an event takes nine.
const EVENTS_PER_STATEMENT = 2000;
// Each lost race is another commit that succeeded, so this many in a row are not bad luck.
const MAX_ATTEMPTS = 20;

type Conflict = Change | "journal";

export const createCommit =
  ({ database, clock }: { readonly database: Database; readonly clock: Clock }) =>
  async (commit: Commit): Promise<CommitResult> => {
    await database.ensureOwned();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const result = await attemptCommit(commit, database, clock().toISOString());
      if (result !== "raced") return result;
    }
    return { ok: false, conflict: "journal" };
  };

/** `raced`: wrote nothing; another attempt may succeed. */
async function attemptCommit(commit: Commit, database: Database, at: string): Promise<CommitResult | "raced"> {
  let conflict: Conflict | undefined;
  const refuse = (refused: Conflict): never => {
    conflict = refused;
    throw new Error("a conflict rolls the transaction back");
  };
  try {
    const events = isOneStatement(commit, database)
      ? await append(commit, commit.after, { database, session: database.client, at })
      : await database.client.$transaction((session) => commitWithin(commit, { database, session, at }, refuse));
    return { ok: true, events };
  } catch (error) {
    // Changes report their own unique violations, so this one is an event whose sequence number exists.
    if (kindOf(error) === "UniqueConstraintViolation") conflict = "journal";
    if (isWriteConflict(error) || (conflict === "journal" && commit.after === "last")) return "raced";
    if (conflict === undefined) throw error;
    return { ok: false, conflict };
  }
}

type WriteContext = { readonly database: Database; readonly session: Session; readonly at: string };
type KnownTail = { readonly after: Exclude<Commit["after"], "last"> };

/** The hot path: a single INSERT is a transaction by itself. */
const isOneStatement = (commit: Commit, { provider }: Database): commit is Commit & KnownTail =>
  commit.after !== "last" &&
  (commit.changes ?? []).length === 0 &&
  commit.events.length > 0 &&
  commit.events.length <= EVENTS_PER_STATEMENT &&
  !needsMessageOrder(commit, provider);

const needsMessageOrder = ({ events }: Commit, provider: Database["provider"]): boolean =>
  provider === "postgresql" && events.some(({ kind }) => isMessage(kind));

async function commitWithin(
  commit: Commit,
  context: WriteContext,
  refuse: (conflict: Conflict) => never,
): Promise<JournalEvent[]> {
  const { thread_id, after, events, changes = [] } = commit;
  const { database, session } = context;
  if (needsMessageOrder(commit, database.provider)) await database.query(messageOrder, session);
  // Without events there is no sequence number that could collide.
  const tail = after === "last" || events.length === 0 ? await readTail(thread_id, session) : after;
  if (after !== "last" && tail?.seq !== after?.seq) refuse("journal");
  const appended = await append(commit, tail, context);
  for (const change of changes) {
    if (!(await applyChange(change, session, context.at))) refuse(change);
  }
  return appended;
}

async function append(commit: Commit, after: KnownTail["after"], { database, session, at }: WriteContext) {
  const events = chain(commit.thread_id, after, commit.events, at);
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT) {
    const rows = events.slice(start, start + EVENTS_PER_STATEMENT).map(eventRow);
    await database.execute(insertEvents(rows), session);
  }
  return events;
}

async function readTail(thread_id: string, { journalEvent }: Session): Promise<KnownTail["after"]> {
  const select = { seq: true, hash: true };
  return journalEvent.findFirst({ where: { thread_id }, orderBy: { seq: "desc" }, select });
}

const eventRow = (event: JournalEvent) => ({ ...rowOf(EventRecord, event), message: isMessage(event.kind) });

/** Resolves to false when the expectation of the change does not hold, or when the row that it makes exists. */
function applyChange(change: Change, { task, sop, approval, checkLook }: Session, at: string): Promise<boolean> {
  switch (change.on) {
    case "task_created":
      return created(task.create({ data: rowOf(Task, change.task), select: { task_id: true } }));
    case "task":
      return changeTask(change, task, at);
    case "sop_created":
      return created(sop.create({ data: rowOf(Sop, change.sop), select: { sop_id: true } }));
    case "sop": {
      const { sop_id, expect, set } = change;
      return holds(sop.updateMany({ where: { sop_id, ...expect }, data: { ...set, updated_at: at } }));
    }
    case "sop_counted": {
      const { sop_id, passed, proved } = change;
      const one = { increment: 1 };
      const counted = passed ? { success_count: one, last_success_at: at } : { failure_count: one };
      const data = { ...counted, ...(proved && { level: "proved" }), updated_at: at };
      return holds(sop.updateMany({ where: { sop_id }, data }));
    }
    case "check_look": {
      const { kind, digest, body, looked_at } = change.look;
      const update = { body: canonicalJson(body), looked_at };
      const where = { kind_digest: { kind, digest } };
      return created(
        checkLook.upsert({ where, create: { kind, digest, ...update }, update, select: { digest: true } }),
      );
    }
    case "approval_created":
      return created(approval.create({ data: rowOf(Approval, change.approval), select: { approval_id: true } }));
    case "approval": {
      const { approval_id, set } = change;
      return holds(approval.updateMany({ where: { approval_id, status: "pending" }, data: rowOf(Approval, set) }));
    }
  }
}

type TaskChange = Extract<Change, { on: "task" }>;

/** Compares the interrupt id with what the task waits for; the update then expects exactly that text. */
async function changeTask({ task_id, expect, set }: TaskChange, task: Session["task"], at: string): Promise<boolean> {
  const where = { task_id, status: { in: [...expect.status] } };
  const data = rowOf(Task, { updated_at: at, ...set });
  if (expect.interrupt_id === undefined) return holds(task.updateMany({ where, data }));
  const { waiting = null } = (await task.findUnique({ where: { task_id }, select: { waiting: true } })) ?? {};
  if (waiting === null || Waiting.parse(JSON.parse(waiting)).interrupt_id !== expect.interrupt_id) return false;
  return holds(task.updateMany({ where: { ...where, waiting }, data }));
}

const created = (write: Promise<unknown>): Promise<boolean> => holds(write.then(() => ({ count: 1 })));

/** A unique index refuses a write when its id or version exists, or when another SOP of the key is active. */
async function holds(write: Promise<{ count: number }>): Promise<boolean> {
  try {
    return (await write).count > 0;
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
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
