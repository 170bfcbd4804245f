// SQLite through Prisma's adapter, made safe for concurrent use (D-049). The adapter has one connection. A statement sent
// while a transaction is open would run inside it and be rolled back with it, so a mutex makes all other statements wait.
// Commits share their flushes: a commit is answered, and what it wrote is shown, when it is on the disk (D-279).
import { chmod, type FileHandle, open, stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import { OrchError } from "../domain/errors.ts";
import { createMutex, type Mutex } from "../domain/mutex.ts";
import { own } from "../own-file.ts";
import { SHRINKABLE } from "./sql.ts";
import { makePrivate } from "./sqlite-file.ts";

const BUSY_TIMEOUT_MS = 5000;

// NORMAL: SQLite flushes the log before it copies it into the database, and leaves each commit's flush to the flush that commits share.
// The write that is rolled back fails at once when the file cannot be written; otherwise SQLite opens it for reading and
// fails at the first insert.
const PREPARE = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  BEGIN IMMEDIATE;
  PRAGMA user_version = 1;
  ROLLBACK;
`;

type SqliteFactory = SqlMigrationAwareDriverAdapterFactory & {
  /** Resolves when the transaction that is open now is committed, before it is on the disk. */
  readonly whenWritten: () => Promise<void>;
};

type FlushFile = (file: FileHandle) => Promise<void>;

const datasync: FlushFile = (file) => file.datasync();

export function sqliteFactory(
  path: string,
  { flushFile = datasync }: { readonly flushFile?: FlushFile } = {},
): SqliteFactory {
  const driver = new PrismaBetterSqlite3({ url: path, timeout: BUSY_TIMEOUT_MS });
  // One transaction is open at a time.
  let written = new Promise<void>(() => undefined);
  const begun = (one: Promise<void>): void => {
    written = one;
  };
  return {
    whenWritten: () => written,
    provider: driver.provider,
    adapterName: driver.adapterName,
    connect: async () => {
      const { adapter, log } = await prepared(path);
      return serialized({ adapter, driver, log, flushFile, begun });
    },
    connectToShadowDb: () => driver.connectToShadowDb(),
  };
}

async function prepared(path: string) {
  await keepPrivate(path);
  const adapter = createSqliteAdapter({ path, timeout: BUSY_TIMEOUT_MS });
  try {
    await adapter.opened();
    if ((await stat(path)).size === 0) await adapter.executeScript(SHRINKABLE);
    await adapter.executeScript(PREPARE);
    return { adapter, log: await open(`${path}-wal`) };
  } catch (error) {
    await adapter.dispose();
    throw error;
  }
}

/** Commands and their output are in it. SQLite gives its other files the mode of the database (D-217). */
async function keepPrivate(path: string): Promise<void> {
  await makePrivate(path);
  for (const other of [`${path}-wal`, `${path}-shm`]) await chmod(other, 0o600).catch(() => undefined);
}

type Prepared = {
  readonly adapter: SqliteAdapter;
  readonly driver: PrismaBetterSqlite3;
  readonly log: FileHandle;
  readonly flushFile: FlushFile;
  readonly begun: (written: Promise<void>) => void;
};

function serialized({ adapter, driver, log, flushFile, begun }: Prepared): SqlDriverAdapter {
  const mutex = createMutex();
  const flush = createSharedFlush(() => flushFile(log).catch(notOnDisk));
  // What a server wrote that was killed before its flush is read by this one.
  flush.afterCommit().catch(() => undefined);
  const run = async <T>(sql: string, statement: () => Promise<T>): Promise<T> => {
    let hasWritten = false;
    try {
      const result = await mutex.run(statement);
      hasWritten = !READS.test(sql);
      return result;
    } finally {
      // A statement that was refused says by its refusal what others have committed.
      await (hasWritten ? flush.afterCommit() : flush.settled());
    }
  };
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    queryRaw: (query) => run(query.sql, async () => fitted(await adapter.queryRaw(query))),
    executeRaw: (query) => run(query.sql, () => adapter.executeRaw(query)),
    executeScript: async (script) => {
      const transaction = await begin({ adapter, driver, mutex, flush, begun });
      try {
        await adapter.executeScript(script);
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
      await transaction.commit();
    },
    startTransaction: () => begin({ adapter, driver, mutex, flush, begun }),
    dispose: () =>
      mutex.run(async () => {
        await flush.settled().catch(() => undefined);
        await log.close();
        await adapter.dispose();
      }),
  };
}

const READS = /^\s*select\b/i;

function notOnDisk(cause: unknown): never {
  const message = `the write-ahead log could not be flushed: ${cause instanceof Error ? cause.message : String(cause)}`;
  const originalCode = "SQLITE_IOERR_FSYNC";
  throw new DriverAdapterError({ kind: "sqlite", extendedCode: 1034, message, originalCode, originalMessage: message });
}

type Serialized = Pick<Prepared, "adapter" | "driver" | "begun"> & {
  readonly mutex: Mutex;
  readonly flush: SharedFlush;
};

/** Holds the mutex from BEGIN until commit or rollback; the next transaction does not wait for the flush of this one. */
async function begin({ adapter, driver, mutex, flush, begun }: Serialized): Promise<Transaction> {
  const written = Promise.withResolvers<void>();
  const send = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  await mutex.acquire();
  try {
    await send("BEGIN IMMEDIATE");
  } catch (error) {
    mutex.release();
    throw error;
  }
  begun(written.promise);
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    // Prisma then calls the two functions below instead of sending COMMIT and ROLLBACK.
    options: { usePhantomQuery: true },
    queryRaw: async (query): Promise<SqlResultSet> => fitted(await adapter.queryRaw(query)),
    executeRaw: (query) => adapter.executeRaw(query),
    async commit() {
      try {
        await send("COMMIT");
      } catch (error) {
        await rollBack(send);
        throw error;
      } finally {
        mutex.release();
      }
      const onDisk = flush.afterCommit();
      written.resolve();
      await onDisk;
    },
    async rollback() {
      try {
        await rollBack(send);
      } finally {
        mutex.release();
      }
      await flush.settled();
    },
  };
}

/** On a full disk SQLite has already rolled back, so an error that no transaction is active is a success. */
async function rollBack(send: (sql: string) => Promise<number>): Promise<void> {
  try {
    await send("ROLLBACK");
  } catch (error) {
    if (!String(error).includes("no transaction is active")) throw error;
  }
}

// SQLite keeps a value of any type in any column. Prisma refuses a whole query for one value that does not fit its column, so a
// damaged row would take every list with it. Such a value becomes one that fits and that the schema of the record refuses.

type Type = SqlResultSet["columnTypes"][number];

const NUMBERS: ReadonlySet<Type> = new Set([ColumnTypeEnum.Int32, ColumnTypeEnum.Int64, ColumnTypeEnum.Boolean]);

const fitted = (result: SqlResultSet): SqlResultSet => ({
  ...result,
  rows: result.rows.map((row) => row.map((value, at) => fittedValue(value, result.columnTypes[at]))),
});

function fittedValue(value: unknown, type: Type | undefined): unknown {
  if (value === null || type === undefined) return value;
  if (type === ColumnTypeEnum.Text && typeof value !== "string") return shown(value);
  return NUMBERS.has(type) && !isNumber(value) ? null : value;
}

const isNumber = (value: unknown): boolean =>
  /^(number|bigint|boolean)$/.test(typeof value) || /^-?\d+$/.test(`${value}`);

const shown = (value: unknown): string =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? "(bytes)" : String(value);

type SharedFlush = {
  /** Resolves when all that is committed now is on the disk. Rejects for ever once a flush has failed. */
  readonly afterCommit: () => Promise<void>;
  /** The same without a flush of its own, for what was read: nothing is shown that a loss of power could take back. */
  readonly settled: () => Promise<void>;
};

/** `flush` resolves when what was written before it was called is on the disk. It is never called twice at once. */
export function createSharedFlush(flush: () => Promise<void>): SharedFlush {
  const onDisk = Promise.resolve();
  let current = onDisk;
  let next: Promise<void> | null = null;

  // After a flush that failed, `current` stays rejected: the system may have dropped what it could not write, and a later
  // flush that succeeds would not bring it back.
  const start = (): Promise<void> => {
    next = null;
    current = flush();
    current.then(settle, () => undefined);
    return current;
  };
  const settle = (): void => {
    if (next === null) current = onDisk;
  };

  return {
    afterCommit: () => {
      if (current === onDisk) return start();
      next ??= current.then(start);
      return next;
    },
    settled: () => next ?? current,
  };
}

// Sends the statements of a SQLite file to the thread that runs them, and keeps their order.

export type SqliteThreadData = { readonly path: string; readonly timeout: number };

type Statement =
  | { readonly method: "queryRaw" | "executeRaw"; readonly query: SqlQuery }
  | { readonly method: "executeScript"; readonly script: string }
  | { readonly method: "dispose" };

export type SqliteOrder = Statement & { readonly id: number };

type Fault = {
  readonly name: string;
  readonly message: string;
  readonly cause: unknown;
};

export type SqliteReply =
  | { readonly is_open: true }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: Fault };

type SqliteAdapter = Pick<SqlDriverAdapter, "queryRaw" | "executeRaw" | "executeScript" | "dispose"> & {
  readonly opened: () => Promise<void>;
};

function createSqliteAdapter(data: SqliteThreadData): SqliteAdapter {
  const thread = new Worker(new URL(own("./sqlite-thread.ts"), import.meta.url), { workerData: data, execArgv: [] });
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  let failure: unknown = null;
  let last = 0;

  /** Nothing is answered from now on: what was sent may have been done. */
  const fail = (cause: unknown): void => {
    failure ??= cause;
    ready.reject(failure);
    for (const { reject } of asked.values()) reject(failure);
    asked.clear();
  };
  ready.promise.catch(() => undefined);
  thread.on("message", (reply: SqliteReply) => {
    if ("is_open" in reply) return ready.resolve();
    const one = asked.get(reply.id);
    asked.delete(reply.id);
    if (asked.size === 0) thread.unref();
    if ("value" in reply) one?.resolve(reply.value);
    else one?.reject(errorOf(reply.fault));
  });
  thread.on("error", fail);
  thread.on("exit", () => fail(new OrchError("database_unusable", "the thread of the database has ended")));
  thread.unref();

  const ask = <T>(statement: Statement): Promise<T> => {
    if (failure !== null) return Promise.reject(failure);
    const id = ++last;
    const one = Promise.withResolvers<unknown>();
    asked.set(id, one);
    thread.ref();
    thread.postMessage({ ...statement, id } satisfies SqliteOrder);
    return one.promise as Promise<T>;
  };

  return {
    opened: () => {
      thread.ref();
      return ready.promise.finally(() => asked.size === 0 && thread.unref());
    },
    queryRaw: (query) => ask<SqlResultSet>({ method: "queryRaw", query }),
    executeRaw: (query) => ask<number>({ method: "executeRaw", query }),
    executeScript: (script) => ask<void>({ method: "executeScript", script }),
    dispose: async () => {
      if (failure === null) await ask<void>({ method: "dispose" });
      await thread.terminate();
    },
  };
}

function errorOf({ name, message, cause }: Fault): Error {
  if (name === "DriverAdapterError")
    return new DriverAdapterError(cause as ConstructorParameters<typeof DriverAdapterError>[0]);
  return Object.assign(new Error(message, { cause }), { name });
}
