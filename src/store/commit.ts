// Writes everything except a lease or a checkpoint: journal events and the changes that belong to them, all or nothing. Each
// change resolves to false when its expectation does not hold; the whole commit is then rolled back.
// Columns have the names of the record's fields; nested values are canonical JSON text, the bytes that were hashed (D-046).
import { z } from "zod";
import { Approval } from "../domain/approval.ts";
import { chain, EventRecord, isMessage, type JournalEvent } from "../domain/journal.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { Sop } from "../domain/sop.ts";
import { Task, Waiting } from "../domain/task.ts";
import type { Change, Clock, Commit, CommitResult } from "../ports.ts";
import type { Database, SqlSession } from "./database.ts";
import { isWriteConflict, kindOf } from "./fault.ts";
import {
  type Condition,
  countFailure,
  countSuccess,
  insert,
  lastEvent,
  messageOrder,
  type Row,
  type Statement,
  update,
  type Value,
  waitingOf,
} from "./sql.ts";

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
  context: ChangeContext,
  refuse: (conflict: Conflict) => never,
): Promise<JournalEvent[]> {
  const { thread_id, after, events, changes = [] } = commit;
  const { database, session } = context;
  if (needsMessageOrder(commit, database.provider)) await database.query(messageOrder, session);
  // Without events there is no sequence number that could collide.
  const tail = after === "last" || events.length === 0 ? await readTail(thread_id, database, session) : after;
  if (after !== "last" && tail?.seq !== after?.seq) refuse("journal");
  const appended = await append(commit, tail, context);
  for (const change of changes) {
    if (!(await applyChange(change, context))) refuse(change);
  }
  return appended;
}

async function append(commit: Commit, after: KnownTail["after"], { database, session, at }: ChangeContext) {
  const events = chain(commit.thread_id, after, commit.events, at);
  for (let start = 0; start < events.length; start += EVENTS_PER_STATEMENT) {
    const rows = events.slice(start, start + EVENTS_PER_STATEMENT).map(eventRow);
    await database.execute(insert("journal_event", rows), session);
  }
  return events;
}

const Tails = z.array(z.object({ seq: z.int(), hash: z.string() })).max(1);

async function readTail(thread_id: string, database: Database, session: SqlSession): Promise<KnownTail["after"]> {
  const [tail] = Tails.parse(await database.query(lastEvent(thread_id), session));
  return tail ?? null;
}

type TaskChange = Extract<Change, { on: "task" }>;
type ChangeContext = { readonly database: Database; readonly session: SqlSession; readonly at: string };

function applyChange(change: Change, context: ChangeContext): Promise<boolean> {
  const { at } = context;
  switch (change.on) {
    case "task_created":
      return unlessTaken(insert("task", [rowOf(Task, change.task)]), context);
    case "task":
      return changeTask(change, context);
    case "sop_created":
      return unlessTaken(insert("sop", [rowOf(Sop, change.sop)]), context);
    case "sop": {
      const { sop_id, expect, status } = change;
      return unlessTaken(
        update("sop", { status, updated_at: at }, [is("sop_id", sop_id), is("status", expect)]),
        context,
      );
    }
    case "sop_counted":
      return affected((change.passed ? countSuccess : countFailure)(change.sop_id, at), context);
    case "approval_created":
      return unlessTaken(insert("approval", [rowOf(Approval, change.approval)]), context);
    case "approval": {
      const where = [is("approval_id", change.approval_id), is("status", "pending")];
      return affected(update("approval", rowOf(Approval, change.set), where), context);
    }
  }
}

const is = (column: string, value: string): Condition => ({ column, among: [value] });

/** Compares the interrupt id with what the task waits for; the update then expects exactly that text. */
async function changeTask({ task_id, expect, set }: TaskChange, context: ChangeContext): Promise<boolean> {
  const where = [is("task_id", task_id), { column: "status", among: expect.status }];
  if (expect.interrupt_id !== undefined) {
    const waiting = await waitingText(task_id, expect.interrupt_id, context);
    if (waiting === null) return false;
    where.push(is("waiting", waiting));
  }
  return affected(update("task", rowOf(Task, { updated_at: context.at, ...set }), where), context);
}

const WaitingRows = z.array(z.object({ waiting: z.string().nullable() }));

/** Null when the task does not wait for this interrupt. */
async function waitingText(task_id: string, interrupt_id: string, { database, session }: ChangeContext) {
  const [row] = WaitingRows.parse(await database.query(waitingOf(task_id), session));
  const waiting = row?.waiting ?? null;
  if (waiting === null) return null;
  return Waiting.parse(JSON.parse(waiting)).interrupt_id === interrupt_id ? waiting : null;
}

const affected = async (statement: Statement, { database, session }: ChangeContext): Promise<boolean> =>
  (await database.execute(statement, session)) > 0;

/** For statements that violate a unique index when the id or version exists, or another SOP of the key is active. */
async function unlessTaken(statement: Statement, context: ChangeContext): Promise<boolean> {
  try {
    return await affected(statement, context);
  } catch (error) {
    if (kindOf(error) === "UniqueConstraintViolation") return false;
    throw error;
  }
}

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The given fields as columns. Undefined fields, and fields that the schema does not know, have no column. */
export function rowOf(schema: { readonly shape: object }, record: object): Row {
  const given = new Map<string, unknown>(Object.entries(record));
  const columns = Object.keys(schema.shape).filter((column) => given.get(column) !== undefined);
  return Object.fromEntries(columns.map((column) => [column, columnOf(given.get(column))]));
}

const columnOf = (field: unknown): Value =>
  typeof field === "object" && field !== null ? canonicalJson(field) : Scalar.parse(field);

const eventRow = (event: JournalEvent): Row => ({
  ...rowOf(EventRecord, event),
  message: isMessage(event.kind),
});
