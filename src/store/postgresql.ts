// PostgreSQL through Prisma's adapter. Each transaction has its own connection of the pool, so no statement waits.
// The lock of the database is an advisory lock of a separate session (D-047).
import { hostname } from "node:os";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { inUse, type Lock } from "./lock.ts";

export function postgresqlFactory(connectionString: string): SqlMigrationAwareDriverAdapterFactory {
  const driver = new PrismaPg({ connectionString });
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
// The loss of a server's network is noticed within a minute instead of two hours.
const KEEPALIVE = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

export async function lockServer(connectionString: string): Promise<Lock> {
  let session: Promise<SqlDriverAdapter> | null = null;
  const lost = () => {
    session = null;
  };
  const ensure = async () => {
    session ??= openSession(connectionString, lost);
    await session.catch((error: unknown) => {
      lost();
      throw error;
    });
  };
  await ensure();
  return { ensure, release: async () => (await session)?.dispose() };
}

async function openSession(connectionString: string, lost: () => void): Promise<SqlDriverAdapter> {
  const config = { connectionString, max: 1, idleTimeoutMillis: 0, application_name: NAME, options: KEEPALIVE };
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
