// SQLite through Prisma's adapter, with the lock of its file (D-047), and made safe for concurrent use (D-049). The adapter has one connection. A statement sent
// while a transaction is open would run inside it and be rolled back with it, so a mutex makes all other statements wait.
import { readFile, rm, writeFile } from "node:fs/promises";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import { createMutex, type Mutex } from "../domain/mutex.ts";
import { inUse, type Lock } from "./lock.ts";

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
export const QUICK_CHECK = { sql: "PRAGMA quick_check(1)", args: [] } as const;

export function sqliteFactory(path: string): SqlMigrationAwareDriverAdapterFactory {
  const driver = new PrismaBetterSqlite3({ url: path, timeout: BUSY_TIMEOUT_MS });
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    connect: async () => serialized(await prepared(driver)),
    connectToShadowDb: () => driver.connectToShadowDb(),
  };
}

async function prepared(driver: PrismaBetterSqlite3): Promise<SqlDriverAdapter> {
  const adapter = await driver.connect();
  try {
    await adapter.executeScript(PREPARE);
    return adapter;
  } catch (error) {
    await adapter.dispose();
    throw error;
  }
}

function serialized(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const mutex = createMutex();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => mutex.run(() => adapter.queryRaw(query)),
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
    queryRaw: (query): Promise<SqlResultSet> => adapter.queryRaw(query),
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

const pidFileOf = (path: string): string => `${path}.pid`;

/** Locks a tiny database beside the real one by an exclusive transaction. `<path>.pid` names the holder. */
export async function lockFile(path: string): Promise<Lock> {
  const pidFile = pidFileOf(path);
  const adapter = await new PrismaBetterSqlite3({ url: `${path}-lock`, timeout: 0 }).connect();
  try {
    await adapter.executeScript("BEGIN EXCLUSIVE");
  } catch (error) {
    await adapter.dispose();
    if (!String(error).includes("SocketTimeout") && !String(error).includes("locked")) throw error;
    const pid = await readFile(pidFile, "utf8").catch(() => "unknown");
    throw inUse(`pid ${pid.trim()}`, error);
  }
  await writeFile(pidFile, `${process.pid}\n`);
  return {
    ensure: async () => undefined,
    async release() {
      await rm(pidFile, { force: true });
      await adapter.dispose();
    },
  };
}

/**
 * The live process that claims the file, null when there is none. It does not try the lock, because a server that starts at
 * this moment would be refused.
 */
export async function holderOfFile(path: string): Promise<string | null> {
  const pid = Number(await readFile(pidFileOf(path), "utf8").catch(() => "0"));
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? `pid ${pid}` : null;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
