// SQLite through Prisma's adapter, made safe for concurrent use (D-049). The adapter has one connection. A statement sent
// while a transaction is open would run inside it and be rolled back with it, so a mutex makes all other statements wait.
import { chmod } from "node:fs/promises";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import { createMutex, type Mutex } from "../domain/mutex.ts";
import { keepStatements } from "./kept-statements.ts";
import { makePrivate } from "./private-file.ts";
import { fitted } from "./sqlite-values.ts";

const BUSY_TIMEOUT_MS = 5000;

// FULL: a commit that was reported is on the disk. The write that is rolled back fails at once when the file cannot be
// written; otherwise SQLite opens it for reading and fails at the first insert.
const PREPARE = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  BEGIN IMMEDIATE;
  PRAGMA user_version = 1;
  ROLLBACK;
`;

/** Reads the whole file and returns the first fault of its structure, or `ok`. */
export const QUICK_CHECK = "PRAGMA quick_check(1)";

export function sqliteFactory(path: string): SqlMigrationAwareDriverAdapterFactory {
  const driver = new PrismaBetterSqlite3({ url: path, timeout: BUSY_TIMEOUT_MS });
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    connect: async () => serialized(await prepared(driver, path)),
    connectToShadowDb: () => driver.connectToShadowDb(),
  };
}

async function prepared(driver: PrismaBetterSqlite3, path: string): Promise<SqlDriverAdapter> {
  await keepPrivate(path);
  const adapter = await driver.connect();
  try {
    await adapter.executeScript(PREPARE);
    keepStatements(adapter);
    return adapter;
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

function serialized(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const mutex = createMutex();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => mutex.run(async () => fitted(await adapter.queryRaw(query))),
    executeRaw: (query) => mutex.run(() => adapter.executeRaw(query)),
    executeScript: async (script) => {
      const transaction = await begin(adapter, mutex);
      try {
        await adapter.executeScript(script);
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
      await transaction.commit();
    },
    startTransaction: () => begin(adapter, mutex),
    dispose: () => mutex.run(() => adapter.dispose()),
  };
}

/** Holds the mutex from BEGIN until commit or rollback. */
async function begin(adapter: SqlDriverAdapter, mutex: Mutex): Promise<Transaction> {
  const send = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  await mutex.acquire();
  try {
    await send("BEGIN IMMEDIATE");
  } catch (error) {
    mutex.release();
    throw error;
  }
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
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
    },
    async rollback() {
      try {
        await rollBack(send);
      } finally {
        mutex.release();
      }
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
