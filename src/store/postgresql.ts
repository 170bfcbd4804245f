// PostgreSQL through Prisma's adapter. Each transaction has its own connection of the pool, so no statement waits.
// The lock of the database is an advisory lock of a separate session (D-047).
import { hostname } from "node:os";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { inUse, type Lock } from "./lock.ts";

// A connection whose other end is gone, without a word, is found out on both sides within a minute, not after hours: the
// server's own keepalive frees the lock and the rows, the client's ends a wait for an answer (D-216). What lies between the two
// may answer keepalives for a client that is gone: its transaction is ended when nothing more is asked of it.
const SERVER_OPTIONS = [
  "tcp_keepalives_idle=30",
  "tcp_keepalives_interval=10",
  "tcp_keepalives_count=3",
  "idle_in_transaction_session_timeout=10s",
];
// Shorter than a client waits: else those that have given up get the lock in turn, and each holds it until it is ended.
const LOCK_WAIT = "lock_timeout=8s";
const PATIENCE = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: optionsOf([...SERVER_OPTIONS, LOCK_WAIT]),
};
const QUERY_MS = 15_000;
const LOCK_QUERY_MS = 5_000;

function optionsOf(settings: readonly string[]): string {
  return settings.map((setting) => `-c ${setting}`).join(" ");
}

/** `query_ms` limits the wait for each answer; migrations have no limit. */
export function postgresqlFactory(
  connectionString: string,
  query_ms: number | null = QUERY_MS,
): SqlMigrationAwareDriverAdapterFactory {
  const limit = query_ms === null ? { options: optionsOf(SERVER_OPTIONS) } : { query_timeout: query_ms };
  const driver = new PrismaPg({ connectionString, ...PATIENCE, ...limit });
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    connect: async () => withAtomicScripts(await driver.connect()),
    connectToShadowDb: () => driver.connectToShadowDb(),
  };
}

/** The adapter would send a script statement by statement. As one message without parameters it is one transaction. */
const withAtomicScripts = (adapter: SqlDriverAdapter): SqlDriverAdapter =>
  Object.assign(adapter, {
    executeScript: async (sql: string) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    },
  });

// "orch" in ASCII: the number of this lock in every PostgreSQL database.
const LOCK_ID = 0x6f726368;
const NAME = `orch pid ${process.pid} on ${hostname()}`;

/** `check` asks the session of the lock itself: a client may not hear that a connection is gone. */
export async function lockServer(connectionString: string): Promise<Lock> {
  let session: SqlDriverAdapter | null = null;
  const lost = () => {
    session = null;
  };
  session = await openSession(connectionString, lost);
  const isAlive = async () => {
    const asked = session;
    if (asked === null) return false;
    try {
      await ask(asked, "SELECT 1");
      return true;
    } catch {
      lost();
      void asked.dispose();
      return false;
    }
  };
  return {
    identity: null,
    check: async () => {
      if (await isAlive()) return true;
      session = await openSession(connectionString, lost).catch(() => null);
      return session !== null;
    },
    release: async () => {
      if (session === null) return;
      // The end of the session frees the lock too, but a moment after it is reported: a server that starts at once is not refused.
      await ask(session, `SELECT pg_advisory_unlock(${LOCK_ID})`).catch(() => undefined);
      await session.dispose();
    },
  };
}

async function openSession(connectionString: string, lost: () => void): Promise<SqlDriverAdapter> {
  const waits = { ...PATIENCE, connectionTimeoutMillis: LOCK_QUERY_MS, query_timeout: LOCK_QUERY_MS };
  const config = { connectionString, max: 1, idleTimeoutMillis: 0, application_name: NAME, ...waits };
  const adapter = await new PrismaPg(config, { onPoolError: lost }).connect();
  try {
    const { rows } = await ask(adapter, `SELECT pg_try_advisory_lock(${LOCK_ID})`);
    if (rows[0]?.[0] === true) return adapter;
    throw inUse((await holderOfServer(adapter)) ?? "pid unknown");
  } catch (error) {
    await adapter.dispose();
    throw error;
  }
}

/** The orch server that holds the lock of the connected database, null when there is none. */
export async function holderOfServer(adapter: SqlDriverAdapter): Promise<string | null> {
  const { rows } = await ask(adapter, HOLDER);
  const name = rows[0]?.[0];
  return name == null ? null : String(name).replace(/^orch /, "");
}

const HOLDER = `
  SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.granted AND l.objid = ${LOCK_ID}
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const ask = (adapter: SqlDriverAdapter, sql: string) => adapter.queryRaw({ sql, args: [], argTypes: [] });
