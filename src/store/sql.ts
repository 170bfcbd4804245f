// Sends the store's own statements: what the typed client cannot send, or sends at a price (D-192, D-246), in the dialect that SQLite
// and PostgreSQL share. Values are always bound. Placeholders are `?`; `numbered` converts them to PostgreSQL's `$1`. Reads the causes of
// database errors.
import {
  type ArgType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import { z } from "zod";
import { OrchError } from "../domain/errors.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { PROMOTION_PREFIX } from "../domain/thread-id.ts";
import type { VerificationWish } from "../domain/verification.ts";
import { Prisma } from "./generated/sqlite/client.ts";

export type Provider = "sqlite" | "postgresql";
export type Value = string | number | boolean | null | Uint8Array;
export type Statement = {
  readonly sql: string;
  readonly args: readonly Value[];
};

/** No statement contains a question mark that is not a placeholder. */
export function numbered(sql: string): string {
  let position = 0;
  return sql.replaceAll("?", () => `$${++position}`);
}

/** What is not text. The values of a list have no type of their own in PostgreSQL. */
const COLUMN_TYPES = new Map([
  ["seq", "INTEGER"],
  ["message", "BOOLEAN"],
]);

/**
 * The commit of a step is this statement alone: 0.33 ms on SQLite. `createMany` takes 0.82 ms, because it compiles its
 * statement at each call. `rows` is not empty, and its rows have the same columns. Nothing is inserted unless all conditions
 * hold.
 */
export function insertEvents(
  rows: readonly Readonly<Record<string, Value>>[],
  conditions: readonly Statement[],
): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const tuple = `(${columns.map(() => "?").join(", ")})`;
  const cast = columns.map((column, at) => `CAST(column${at + 1} AS ${COLUMN_TYPES.get(column) ?? "TEXT"})`);
  const held = ["TRUE", ...conditions.map(({ sql }) => sql)].join(" AND ");
  const values = `(VALUES ${rows.map(() => tuple).join(", ")}) AS event`;
  return {
    sql: `INSERT INTO journal_event (${columns.join(", ")}) SELECT ${cast.join(", ")} FROM ${values} WHERE ${held}`,
    args: [
      ...rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
      ...conditions.flatMap(({ args }) => args),
    ],
  };
}

type Link = { readonly thread_id: string; readonly seq: number; readonly hash: string };

/**
 * The event that is chained to is there. No EXISTS: SQLite makes a join of it, looks at the bound values for its plan, and so compiles
 * the whole statement again at each run (D-405).
 */
export const eventExists = ({ thread_id, seq, hash }: Link): Statement => ({
  sql: "(SELECT 1 FROM journal_event WHERE thread_id = ? AND seq = ? AND hash = ?) IS NOT NULL",
  args: [thread_id, seq, hash],
});

/** In order. Without a limit, all of them. */
export const eventsAfter = (thread_id: string, seq: number, limit?: number): Statement => ({
  sql: `SELECT ${KNOWN_COLUMNS.journal_event} FROM journal_event WHERE thread_id = ? AND seq > ? ORDER BY seq${limit === undefined ? "" : " LIMIT ?"}`,
  args: [thread_id, seq, ...(limit === undefined ? [] : [limit])],
});

/** In the order in which they were requested. A task that is known asks for them at each run. */
export const approvalsOf = (thread_id: string, status: string | undefined, limit: number): Statement => ({
  sql: `SELECT ${KNOWN_COLUMNS.approval} FROM approval WHERE thread_id = ?${status === undefined ? "" : " AND status = ?"} ORDER BY created_at, approval_id LIMIT ?`,
  args: [thread_id, ...(status === undefined ? [] : [status]), limit],
});

/**
 * Each wish has an index of its own, with the condition that is written here (D-308). `_` is any character, and the field may be one of
 * the payload: what is not the contract's own is left out when it is parsed. One that missed its procedure is settled; to others
 * the event means nothing.
 */
const UNVERIFIED = {
  verify_by: `status = 'ok' AND verification IS NULL AND contract LIKE '%"verify_by":%' AND NOT EXISTS (
    SELECT 1 FROM journal_event WHERE thread_id = task.task_id AND kind = 'verification_missed')`,
  verify_within_hours: `status = 'ok' AND verification IS NULL AND contract LIKE '%"verify_within_hours":%'`,
} as const satisfies Record<VerificationWish, string>;

/** In the order of their ends, by few columns. */
export const unverifiedTasks = (wants: VerificationWish, limit: number, after?: string): Statement => ({
  sql: `SELECT task_id, intent, target_signature, ended_at, contract FROM task WHERE ${UNVERIFIED[wants]}${
    after === undefined
      ? ""
      : " AND (ended_at, task_id) > (SELECT before.ended_at, before.task_id FROM task before WHERE before.task_id = ?)"
  } ORDER BY ended_at, task_id LIMIT ?`,
  args: [...(after === undefined ? [] : [after]), limit],
});

const NOW: Readonly<Record<Provider, string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgresql: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

export const aliveServers = (provider: Provider): Statement => ({
  sql: `SELECT server_id, COALESCE(name, server_id) AS name, labels, drain_asked_at, journal_level FROM server
    WHERE stopped_at IS NULL AND (lease_expires_at IS NULL OR lease_expires_at > ${NOW[provider]}) ORDER BY 2, 1`,
  args: [],
});

/** Of the server that runs a task, unless that is the one that asks. On SQLite there is no other one. */
export const outputRoute = (task_id: string, asks: string): Statement => ({
  sql: `SELECT server.server_id, COALESCE(server.name, server.server_id) AS name, server.url, server.output_secret AS secret
    FROM task JOIN server ON server.server_id = task.owner
    WHERE task.task_id = ? AND server.server_id <> ? AND task.status = 'running' AND server.stopped_at IS NULL
    AND server.lease_expires_at > ${NOW.postgresql} AND server.url IS NOT NULL AND server.output_secret IS NOT NULL`,
  args: [task_id, asks],
});

export const serverRows = (provider: Provider): Statement => ({
  sql: `SELECT ${KNOWN_COLUMNS.server}, ${NOW[provider]} AS now FROM server ORDER BY COALESCE(name, server_id), started_at`,
  args: [],
});

export const ownedTasks: Statement = {
  sql: `SELECT owner, CAST(COUNT(*) AS INTEGER) AS count FROM task
    WHERE status IN ('accepted', 'running') AND owner IS NOT NULL GROUP BY owner`,
  args: [],
};

/** A task that was answered waits since its answer. */
export const waitingTasks: Statement = {
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS tasks, MIN(updated_at) AS since FROM task
    WHERE status IN ('accepted', 'running') AND owner IS NULL`,
  args: [],
};

const MOST_HELD = 20;

export const heldTargets: Statement = {
  sql: `SELECT hold.target_signature, hold.task_id, task.status, hold.since, task.owner AS server_id
    FROM target_hold hold LEFT JOIN task ON task.task_id = hold.task_id ORDER BY hold.since, hold.task_id LIMIT ${MOST_HELD}`,
  args: [],
};

const MOST_UNREAD = 20;

/** Those of tasks that have not ended, the oldest first. */
export const unreadTasks = (level: number): Statement => ({
  sql: `SELECT task_id, status, needs_level FROM task
    WHERE status IN ('accepted', 'running', 'need_input', 'need_approval') AND needs_level > ?
    ORDER BY created_at, task_id LIMIT ${MOST_UNREAD}`,
  args: [level],
});

export const askedToDrain = (provider: Provider, server_id: string): Statement => ({
  sql: `UPDATE server SET drain_asked_at = ${NOW[provider]} WHERE server_id = ? AND drain_asked_at IS NULL AND stopped_at IS NULL`,
  args: [server_id],
});

export const lastEvent = (thread_id: string): Statement => ({
  sql: "SELECT seq, hash, at FROM journal_event WHERE thread_id = ? ORDER BY seq DESC LIMIT 1",
  args: [thread_id],
});

// "msgs" in ASCII.
const MESSAGES_LOCK_ID = 0x6d736773;

/**
 * PostgreSQL assigns cursors before commits become visible, so a reader could see 8 before 7 and never ask for 7. This lock,
 * held until the commit is visible, serialises the commits that contain messages, or change a score (D-050). The typed client has no locks.
 */
export const messageOrder: Statement = { sql: `SELECT pg_advisory_xact_lock(${MESSAGES_LOCK_ID})::text`, args: [] };

/** On PostgreSQL: heard by every server once the commit is visible. */
export const announce = (text: string): Statement => ({ sql: "SELECT pg_notify('orch', ?)::text", args: [text] });

/**
 * Before the epoch is raised, on PostgreSQL: waits until the commits under way have ended and lets no other begin. On SQLite
 * a transaction is alone anyway.
 */
export const LOCK_WRITERS = ["SET LOCAL lock_timeout = '10s'", "LOCK TABLE journal_event IN SHARE ROW EXCLUSIVE MODE"];

/** Prisma's own table, which is no model. It is read before there is a client. */
export const MIGRATION_HISTORY = `
  SELECT migration_name, CASE WHEN finished_at IS NULL THEN 'failed' ELSE 'applied' END AS state
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`;

const CHECKPOINT_TABLES = ["checkpoint_write", "checkpoint_blob", "checkpoint"];

const UUID_LENGTH = 36;
/** Of the last promotion of an SOP; the threads of those before it have ended. */
const PROMOTION_THREAD = `? || sop_id || CASE promotion_round WHEN 1 THEN '' ELSE '/' || CAST(promotion_round AS TEXT) END`;

const HAS_ENDED = `EXISTS (
    SELECT 1 FROM task WHERE task_id = thread_id AND status IN ('ok', 'failed', 'blocked', 'cancelled'))
  OR SUBSTR(thread_id, 1, ${PROMOTION_PREFIX.length}) = ? AND EXISTS (
    SELECT 1 FROM sop WHERE sop_id = SUBSTR(thread_id, ${PROMOTION_PREFIX.length + 1}, ${UUID_LENGTH})
      AND (status <> 'candidate' OR thread_id <> ${PROMOTION_THREAD}))`;

/**
 * Deletes checkpoints that remained when the server stopped between the end of a thread and their deletion. It looks each of them up,
 * because few threads have one, and the tasks that have ended are many: nothing with 100,000 of these, where a list of them took 0.4 s.
 */
export const sweepCheckpoints: readonly Statement[] = CHECKPOINT_TABLES.map((table) => ({
  sql: `DELETE FROM ${table} WHERE ${HAS_ENDED}`,
  args: [PROMOTION_PREFIX, PROMOTION_PREFIX],
}));

export const given = (filters: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]])),
  );

// Sends the store's own statements through the adapter that Prisma's client uses, without the client (D-246).

export type Sql = {
  readonly run: (statement: Statement) => Promise<number>;
  /** As they are in the database: SQLite keeps a value of any type in any column. */
  readonly rows: <T = Readonly<Record<string, unknown>>>(statement: Statement) => Promise<T[]>;
};

export type SqlConnection = Sql & {
  /** Commits when `work` resolves, and rolls back when it rejects. `onWritten` is called when it is committed, maybe before it is on the disk. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>, onWritten?: (result: T) => void) => Promise<T>;
  /** Statements without values and without an answer, in one transaction. Each is run to its end, also one that goes on in steps. */
  readonly script: (sql: string) => Promise<void>;
  /** Nothing more is sent. */
  readonly close: () => void;
};

/** The factory for the client, and a connection through the adapter that the client has got from it, until it is closed. */
export function sharedConnection(factory: SqlMigrationAwareDriverAdapterFactory, provider: Provider) {
  let adapter: SqlDriverAdapter | undefined;
  const shared: SqlMigrationAwareDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      adapter = await factory.connect();
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
  const connected = () => {
    if (adapter === undefined) throw new OrchError("database_unusable", "this server has closed its database");
    return adapter;
  };
  const close = (): void => {
    adapter = undefined;
  };
  return { factory: shared, connection: { ...connectionThrough(connected, provider), close } };
}

export function connectionThrough(adapter: () => SqlDriverAdapter, provider: Provider): Omit<SqlConnection, "close"> {
  const text = provider === "sqlite" ? (sql: string) => sql : numbered;
  const sqlOf = (queryable: () => SqlQueryable): Sql => ({
    run: async ({ sql, args }) =>
      queryable().executeRaw({ sql: text(sql), args: [...args], argTypes: args.map(UNTYPED) }),
    rows: async <T>({ sql, args }: Statement) =>
      rowsOf<T>(await queryable().queryRaw({ sql: text(sql), args: [...args], argTypes: args.map(UNTYPED) })),
  });
  return {
    ...sqlOf(adapter),
    script: async (sql) => adapter().executeScript(sql),
    async transaction(work, onWritten = () => undefined) {
      const transaction: MaybeWritten = await adapter().startTransaction();
      // With phantom queries commit() and rollback() send the statement; without them they only end the use of the connection.
      const send = async (sql: string) =>
        transaction.options.usePhantomQuery ? 0 : transaction.executeRaw({ sql, args: [], argTypes: [] });
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work(sqlOf(() => transaction));
        await send("COMMIT");
      } catch (error) {
        // A connection that is gone has rolled back already; what `work` met is the error.
        await send("ROLLBACK").catch(() => 0);
        await transaction.rollback();
        throw error;
      }
      const done = transaction.commit();
      await Promise.race([transaction.written ?? done, done]);
      onWritten(result);
      await done;
      return result;
    },
  };
}

/** What a transaction of SQLite has beside that of Prisma: it resolves when it is committed, before it is on the disk. */
export type WrittenFirst = { readonly written: Promise<void> };
type MaybeWritten = Transaction & Partial<WrittenFirst>;

const UNTYPED = (): ArgType => ({ scalarType: "unknown", arity: "scalar" });

const rowsOf = <T>({ columnNames, columnTypes, rows }: SqlResultSet): T[] =>
  rows.map(
    (row) => Object.fromEntries(columnNames.map((name, at) => [name, booleanOr(row[at], columnTypes[at])])) as T,
  );

/** SQLite keeps a boolean as 0 or 1. */
const booleanOr = (value: unknown, type: SqlResultSet["columnTypes"][number] | undefined): unknown =>
  type === ColumnTypeEnum.Boolean && typeof value === "number" ? value === 1 : value;

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

// Reads the cause of a database error, which Prisma wraps around the driver's error.

const DriverFault = z.object({
  kind: z.string(),
  originalCode: z.string().optional(),
  originalMessage: z.string().optional(),
});
type DriverFault = z.infer<typeof DriverFault>;

// The shapes of Prisma, of the adapter, and of SQLite when it cannot open the file.
const Shapes = z.union([
  z
    .object({ meta: z.object({ driverAdapterError: z.object({ cause: DriverFault }) }) })
    .transform(({ meta }) => meta.driverAdapterError.cause),
  z.object({ cause: DriverFault }).transform(({ cause }): DriverFault => cause),
  z
    .object({ code: z.string().startsWith("SQLITE_"), message: z.string() })
    .transform(({ code, message }): DriverFault => ({ kind: "sqlite", originalCode: code, originalMessage: message })),
]);

const faultOf = (error: unknown): DriverFault | undefined => Shapes.safeParse(error).data;

/** The driver adapter's name of the error, such as UniqueConstraintViolation; undefined when the driver did not raise it. */
export const kindOf = (error: unknown): string | undefined => faultOf(error)?.kind;

/** Two transactions conflicted and this one wrote nothing; the caller tries again. */
export const isWriteConflict = (error: unknown): boolean => kindOf(error) === "TransactionWriteConflict";

// A server that shuts down ends its sessions with 57P0x, and one that waits too long for a lock gives up with 55P03.
const LOST_CODE = /^(08...|57P0.|25P03|55P03)$/;
const LOST_KINDS: ReadonlySet<string> = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout"]);
// What the driver and its pool say without a code, and what Prisma says of a transaction whose connection is gone.
const LOST_TEXT =
  /connection (terminated|ended|error)|has encountered a connection error|read timeout|timeout exceeded|not queryable|ECONNRESET|EPIPE|ECONNREFUSED|transaction (api error|already closed|not found)/i;

/** The database did not answer: what was asked may have been done, or may still be. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof OrchError) return false;
  const { kind = "", originalCode = "" } = faultOf(error) ?? {};
  if (originalCode !== "") return LOST_CODE.test(originalCode);
  return LOST_KINDS.has(kind) || (error instanceof Error && LOST_TEXT.test(error.message));
}

const REASONS = new Map([
  ["SQLITE_NOTADB", "the file is not a database"],
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_IOERR", "the disk is full or broken"],
  // From the schema engine, which drops SQLite's code.
  ["disk I/O error", "the disk is full or broken"],
  ["SQLITE_READONLY", "the file or its folder cannot be written"],
  ["SQLITE_CANTOPEN", "the file or its folder cannot be opened or written"],
  ["SQLITE_CORRUPT", "the file is damaged or its disk fails; start orch again to find out which"],
  ["53100", "the disk is full"],
  ["58030", "the disk of the database server failed"],
  ["XX001", "the database is damaged; restore a backup"],
  ["DatabaseNotReachable", "the server cannot be reached"],
  ["DatabaseDoesNotExist", "there is no such database"],
  ["AuthenticationFailed", "the server refused the user or password"],
]);

/** One clause for the operator of the server. */
export function reasonOf(error: unknown): string {
  const { kind = "", originalCode = "", originalMessage } = faultOf(error) ?? {};
  const primaryCode = originalCode.split("_").slice(0, 2).join("_");
  const message = originalMessage ?? (error instanceof Error ? error.message : String(error));
  // The schema engine appends its own trace.
  const detail = (message.split(/\n\s+0: /)[0] ?? "").trim().replace(/\s+/g, " ");
  const known = [originalCode, primaryCode, kind, detail].map((name) => REASONS.get(name)).find(Boolean);
  return known === undefined ? detail : `${known} (${detail})`;
}

/** SQLite says the same of a file whose content is wrong and of one that the disk could not read. */
export const isCorrupt = (error: unknown): boolean =>
  faultOf(error)?.originalCode?.startsWith("SQLITE_CORRUPT") === true;

/** Why a database cannot be opened; `name` contains no password. */
export const cannotUse = (name: string, cause: unknown): OrchError =>
  cause instanceof OrchError
    ? cause
    : new OrchError("database_unusable", `cannot use the database ${name}: ${reasonOf(cause)}`, { cause });

/** Awaits a read or write. A failure becomes an error for the core, nothing of it was done; other errors stay as they are. */
export async function usable<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isPrisma = error instanceof Error && error.name.startsWith("Prisma");
    if (!isPrisma && faultOf(error) === undefined && !isUnanswered(error)) throw error;
    const message = `the database did not do what was asked: ${reasonOf(error)}`;
    throw new OrchError("database_unusable", message, { cause: error });
  }
}

/** The operation, with what `usable` says of its faults. */
export const guarded =
  <A extends unknown[], R>(operation: (...args: A) => Promise<R>): ((...args: A) => Promise<R>) =>
  (...args) =>
    usable(operation(...args));
