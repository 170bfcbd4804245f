// Sends the statements that Prisma's typed client cannot express, or sends at a measured price (D-192): all raw SQL on a database of today's
// schema is here, each with its reason, in the dialect that SQLite and PostgreSQL share unless it says otherwise.
import type { ThreadEnd } from "../domain/backup.ts";
import type { SopRun } from "../domain/scorecard/record.ts";
import type { Archivable } from "../domain/task.ts";
import { PROMOTION_PREFIX } from "../domain/thread-id.ts";
import type { VerificationWish } from "../domain/verification.ts";
import type { JournalEvent as EventRow, Task as TaskRow } from "./generated/sqlite/client.ts";
import { Prisma } from "./generated/sqlite/client.ts";

export type Provider = "sqlite" | "postgresql";

/** Prisma's client, or one of its transactions. */
export type Session = Prisma.TransactionClient;

/** Whole numbers arrive as BigInt where a column is computed. */
async function rows<T>(session: Session, statement: Prisma.Sql): Promise<T[]> {
  const found = await session.$queryRaw<object[]>(statement);
  return found.map(
    (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, numberOr(value)])) as T,
  );
}

const numberOr = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);

const { empty, join, raw, sql } = Prisma;

// The journal. The commit of a step is the first of these statements alone.

export type NewEventRow = Omit<EventRow, "cursor">;

/**
 * Adds events if all conditions hold, and says how many it has added. The typed client has no insert with a condition, so it would need a
 * transaction and a read for each: 1.0 ms of the processor in place of 0.4 ms on PostgreSQL, at every start and end of a step.
 */
export const insertEvents = (
  session: Session,
  events: readonly NewEventRow[],
  conditions: readonly Prisma.Sql[],
): Promise<number> => {
  const tuples = events.map(
    ({ thread_id, seq, kind, body, message, at, prev_hash, hash }) =>
      sql`(${thread_id}, ${seq}, ${kind}, ${body}, ${message}, ${at}, ${prev_hash}, ${hash})`,
  );
  return session.$executeRaw(sql`
    INSERT INTO journal_event (thread_id, seq, kind, body, message, at, prev_hash, hash)
    SELECT ${EVENT_COLUMNS} FROM (VALUES ${join(tuples)}) AS event WHERE ${join([sql`TRUE`, ...conditions], " AND ")}`);
};

/** The values of a list have no type of their own in PostgreSQL. */
const EVENT_COLUMNS = raw(
  ["TEXT", "INTEGER", "TEXT", "TEXT", "BOOLEAN", "TEXT", "TEXT", "TEXT"]
    .map((type, at) => `CAST(column${at + 1} AS ${type})`)
    .join(", "),
);

/**
 * The event that is chained to is there. No EXISTS: SQLite makes a join of it, looks at the bound values for its plan, and so compiles
 * the whole statement again at each run (D-405).
 */
export const eventExists = ({ thread_id, seq, hash }: ThreadEnd): Prisma.Sql =>
  sql`(SELECT 1 FROM journal_event WHERE thread_id = ${thread_id} AND seq = ${seq} AND hash = ${hash}) IS NOT NULL`;

type ServerKey = { readonly server_id: string; readonly epoch: number; readonly row_sum: string };

/** The server has not been replaced (D-213). */
export const serverIs = ({ server_id, epoch, row_sum }: ServerKey): Prisma.Sql =>
  sql`(SELECT 1 FROM server WHERE server_id = ${server_id} AND epoch = ${epoch} AND row_sum = ${row_sum}) IS NOT NULL`;

/** No freeze is open but these. */
export const noFreezeBut = (known: readonly string[]): Prisma.Sql => {
  const others = known.length === 0 ? empty : sql` AND freeze_id NOT IN (${join(known)})`;
  return sql`NOT EXISTS (SELECT 1 FROM work_freeze WHERE thawed_at IS NULL${others})`;
};

/** Asks for the conditions of a commit alone, in the words that the commit sends them in. */
export const hold = async (session: Session, conditions: readonly Prisma.Sql[]): Promise<boolean> =>
  (await rows(session, sql`SELECT 1 AS held WHERE ${join([sql`TRUE`, ...conditions], " AND ")}`)).length > 0;

// "msgs" in ASCII.
const MESSAGES_LOCK_ID = 0x6d736773;

/**
 * PostgreSQL assigns cursors before commits become visible, so a reader could see 8 before 7 and never ask for 7. This lock,
 * held until the commit is visible, serialises the commits that contain messages, or change a score (D-050). The typed client has no locks.
 */
export const messageOrder: Prisma.Sql = sql`SELECT pg_advisory_xact_lock(${raw(String(MESSAGES_LOCK_ID))})::text`;

export const waitForMessageOrder = (session: Session): Promise<unknown> => rows(session, messageOrder);

/** On PostgreSQL: heard by every server once the commit is visible. */
export const announce = (session: Session, text: string): Promise<unknown> =>
  rows(session, sql`SELECT pg_notify('orch', ${text})::text`);

/** On PostgreSQL: waits until the commits under way have ended and lets no other begin. On SQLite a transaction is alone anyway. */
export async function lockWriters(session: Session): Promise<void> {
  await session.$executeRaw(sql`SET LOCAL lock_timeout = '10s'`);
  await session.$executeRaw(sql`LOCK TABLE journal_event IN SHARE ROW EXCLUSIVE MODE`);
}

type Held = { readonly target_signature: string; readonly task_id: string; readonly since: string };

/** False where another task has the target; one that has it keeps it. The typed upsert has no condition. */
export const holdTarget = async (session: Session, { target_signature, task_id, since }: Held): Promise<boolean> =>
  (await session.$executeRaw(sql`
    INSERT INTO target_hold (target_signature, task_id, since) VALUES (${target_signature}, ${task_id}, ${since})
    ON CONFLICT (target_signature) DO UPDATE SET task_id = excluded.task_id
    WHERE target_hold.task_id = excluded.task_id`)) > 0;

// Lists that no typed query can express: the models have no relations, and a bound text uses no partial index.

/**
 * Each wish has an index of its own, with the condition that is written here (D-308). `_` is any character, and the field may be one of
 * the payload: what is not the contract's own is left out when it is parsed. One that missed its procedure is settled; to others
 * the event means nothing.
 */
const UNVERIFIED = {
  verify_by: sql`status = 'ok' AND verification IS NULL AND contract LIKE '%"verify_by":%' AND NOT EXISTS (
    SELECT 1 FROM journal_event WHERE thread_id = task.task_id AND kind = 'verification_missed')`,
  verify_within_hours: sql`status = 'ok' AND verification IS NULL AND contract LIKE '%"verify_within_hours":%'`,
} as const satisfies Record<VerificationWish, Prisma.Sql>;

export type UnverifiedRow = Pick<TaskRow, "task_id" | "intent" | "target_signature" | "ended_at" | "contract">;

type UnverifiedPage = { readonly wants: VerificationWish; readonly take: number; readonly after: string | undefined };

/** In the order of their ends: 0.3 ms of the processor with 20,000 tasks, where a typed filter takes 16 ms. */
export const unverifiedTasks = (session: Session, { wants, take, after }: UnverifiedPage): Promise<UnverifiedRow[]> => {
  const isLater = sql`(ended_at, task_id) > (SELECT before.ended_at, before.task_id FROM task before WHERE before.task_id = ${after})`;
  return rows(
    session,
    sql`SELECT task_id, intent, target_signature, ended_at, contract FROM task
      WHERE ${UNVERIFIED[wants]} AND ${after === undefined ? sql`TRUE` : isLater} ORDER BY ended_at, task_id LIMIT ${take}`,
  );
};

type ArchivablePage = {
  readonly limit: number;
  readonly after: Archivable | null;
  readonly ended_before: string;
  readonly unverified_since: string;
};

/** Tasks that have ended, and whose journal nothing asks for any more (D-373). */
export const archivableTasks = (
  session: Session,
  { limit, after, ended_before, unverified_since }: ArchivablePage,
): Promise<Archivable[]> => {
  const { ended_at, task_id } = after ?? { ended_at: "", task_id: "" };
  return rows(
    session,
    sql`SELECT task_id, ended_at FROM task
      WHERE (ended_at > ${ended_at} OR (ended_at = ${ended_at} AND task_id > ${task_id})) AND ended_at < ${ended_before}
        AND status IN ('ok', 'failed', 'blocked', 'cancelled')
        AND NOT (status = 'ok' AND verification IS NULL AND ended_at >= ${unverified_since})
        AND (verification IS NULL OR verification NOT LIKE '%"verified":false%')
        AND EXISTS (SELECT 1 FROM task_score WHERE task_score.task_id = task.task_id)
        AND NOT EXISTS (SELECT 1 FROM archived WHERE archived.task_id = task.task_id)
        AND NOT (status = 'ok' AND contract LIKE '%"verify_by":%' AND verification IS NULL)
        AND NOT EXISTS (
          SELECT 1 FROM sop WHERE sop.status = 'active' AND sop.origin IN (task.task_id, 'update_sop ' || task.task_id))
        AND NOT EXISTS (
          SELECT 1 FROM sop WHERE sop.status = 'active' AND sop.sop_id = task.sop_id AND task.task_id = (
            SELECT score.task_id FROM task_score score WHERE score.sop_id = sop.sop_id AND score.status = 'ok'
            ORDER BY score.ended_at DESC, score.task_id LIMIT 1))
      ORDER BY ended_at, task_id LIMIT ${limit}`,
  );
};

/** What was folded of an archived journal is not folded again. A typed delete would send the names of all archived tasks. */
export const deleteScores = (session: Session): Promise<number> =>
  session.$executeRaw(sql`DELETE FROM task_score WHERE task_id NOT IN (SELECT task_id FROM archived)`);

export type RunRow = SopRun & { readonly sop_id: string };

/** Of each version so many, by its index. Typed queries of one version each take 37 ms of the processor for 100 versions, and this 9 ms. */
export const runsOf = (session: Session, sop_ids: readonly string[], limit: number): Promise<RunRow[]> => {
  const each = sop_ids.map(
    (sop_id) => sql`SELECT * FROM (
      SELECT sop_id, passed, ended_at, done, done_unseen, verified, refuted FROM task_score WHERE sop_id = ${sop_id}
      ORDER BY ended_at DESC, task_id LIMIT ${limit}) AS runs`,
  );
  return rows(session, join(each, " UNION ALL "));
};

// Checkpoints.

const UUID_LENGTH = 36;

const HAS_ENDED = sql`EXISTS (
    SELECT 1 FROM task WHERE task_id = thread_id AND status IN ('ok', 'failed', 'blocked', 'cancelled'))
  OR SUBSTR(thread_id, 1, ${PROMOTION_PREFIX.length}) = ${PROMOTION_PREFIX} AND EXISTS (
    SELECT 1 FROM sop WHERE sop_id = SUBSTR(thread_id, ${PROMOTION_PREFIX.length + 1}, ${UUID_LENGTH})
      AND (status <> 'candidate' OR thread_id <> ${PROMOTION_PREFIX} || sop_id
        || CASE promotion_round WHEN 1 THEN '' ELSE '/' || CAST(promotion_round AS TEXT) END))`;

/**
 * Deletes checkpoints that remained when the server stopped between the end of a thread and their deletion, but not those of the last
 * promotion of an SOP. It looks each of them up, because few threads have one, and the tasks that have ended are many: nothing with 100,000
 * of these, where a list of them took 0.4 s.
 */
export async function sweepCheckpoints(session: Session): Promise<void> {
  await session.$executeRaw(sql`DELETE FROM checkpoint_write WHERE ${HAS_ENDED}`);
  await session.$executeRaw(sql`DELETE FROM checkpoint_blob WHERE ${HAS_ENDED}`);
  await session.$executeRaw(sql`DELETE FROM checkpoint WHERE ${HAS_ENDED}`);
}

// The clock of PostgreSQL, which the typed client cannot ask.

const CLOCK_TEXT = sql`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** That of SQLite is the clock of this machine. */
export async function clockOf(session: Session, provider: Provider): Promise<string> {
  if (provider === "sqlite") return new Date().toISOString();
  const [found] = await rows<{ now: string }>(session, sql`SELECT ${CLOCK_TEXT} AS now`);
  if (found === undefined) throw new Error("PostgreSQL did not say what time it is");
  return found.now;
}

const CLOCK_MS = sql`(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8`;

/** A bucket holds `amount` turns, is full at first, and refills in `per_ms`. It is kept as the time at which it is full again. */
export type Rate = { readonly amount: number; readonly per_ms: number };

/** Bounded, so that a clock that is set back locks no caller out. */
const missingMs = (per_ms: number): Prisma.Sql =>
  sql`LEAST(GREATEST(bucket.full_at_ms - ${CLOCK_MS}, 0), ${per_ms}::float8)`;

/** One statement, so that two servers do not take the same turn. */
export const takeTurn = async (session: Session, name: string, { amount, per_ms }: Rate): Promise<boolean> => {
  const turn = per_ms / amount;
  const missing = missingMs(per_ms);
  const taken = await session.$executeRaw(sql`
    INSERT INTO token_bucket AS bucket (name, full_at_ms) VALUES (${name}, ${CLOCK_MS} + ${turn}::float8)
    ON CONFLICT (name) DO UPDATE SET full_at_ms = ${CLOCK_MS} + ${missing} + ${turn}::float8
    WHERE ${missing} + ${turn}::float8 < ${per_ms}::float8 + 1`);
  return taken > 0;
};

export const missingTurns = async (session: Session, name: string, { per_ms }: Rate): Promise<number> => {
  const statement = sql`SELECT ${missingMs(per_ms)} AS missing_ms FROM token_bucket AS bucket WHERE name = ${name}`;
  const [found] = await rows<{ missing_ms: number }>(session, statement);
  return found?.missing_ms ?? 0;
};

// The database itself, of which no model knows.

const SIZES: Readonly<Record<Provider, Prisma.Sql>> = {
  sqlite: sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  postgresql: sql`SELECT pg_database_size(current_database()) AS bytes`,
};

/** How large it is, for an operator. On SQLite without what waits in its log. */
export async function databaseBytes(session: Session, provider: Provider): Promise<number> {
  const [found] = await rows<{ bytes: number }>(session, SIZES[provider]);
  return Number(found?.bytes);
}

/** On SQLite: `mode` says whether the file can get shorter. */
export type Pages = { readonly mode: number; readonly free: number; readonly size: number; readonly bytes: number };

export async function pagesOf(session: Session): Promise<Pages> {
  const [found] = await rows<Pages>(
    session,
    sql`SELECT auto_vacuum AS mode, freelist_count AS free, page_size AS size, page_count * page_size AS bytes
      FROM pragma_auto_vacuum(), pragma_freelist_count(), pragma_page_size(), pragma_page_count()`,
  );
  if (found === undefined) throw new Error("SQLite did not say how many pages the file has");
  return found;
}

/** Of a new SQLite file, before anything is written to it: each page knows which one refers to it, so the file can get shorter (D-382). */
export const SHRINKABLE = "PRAGMA auto_vacuum = INCREMENTAL";

/** Writes the whole file again. The directory for temporary files may be a small one. */
export async function rewriteFile(session: Session): Promise<void> {
  await session.$executeRaw(sql`PRAGMA temp_store = MEMORY`);
  try {
    await session.$executeRaw(raw(SHRINKABLE));
    await session.$executeRaw(sql`VACUUM`);
  } finally {
    await session.$executeRaw(sql`PRAGMA temp_store = DEFAULT`);
  }
}

/** Reads the whole file and returns the first fault of its structure, or `ok`. */
export const QUICK_CHECK = "PRAGMA quick_check(1)";

export async function quickCheck(session: Session): Promise<string> {
  const [found] = await rows<{ quick_check: unknown }>(session, raw(QUICK_CHECK));
  return String(found?.quick_check);
}

/** Moves what is in the log of SQLite into the file. */
export const moveLog = (session: Session): Promise<unknown> => rows(session, sql`PRAGMA wal_checkpoint(PASSIVE)`);

/** Gives no cursor a second time up to this one. */
export async function raiseCursor(session: Session, provider: Provider, cursor: number): Promise<void> {
  if (provider === "postgresql") {
    await rows(
      session,
      sql`SELECT setval(pg_get_serial_sequence('journal_event', 'cursor'), ${String(cursor)}::bigint)::text`,
    );
    return;
  }
  const set = await session.$executeRaw(sql`UPDATE sqlite_sequence SET seq = ${cursor} WHERE name = 'journal_event'`);
  if (set === 0)
    await session.$executeRaw(sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('journal_event', ${cursor})`);
}
