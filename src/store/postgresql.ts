// PostgreSQL through Prisma's adapter. Each transaction has its own connection of the pool, so no statement waits.
import { hash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory, SqlQuery } from "@prisma/driver-adapter-utils";

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
export const PATIENCE = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: optionsOf([...SERVER_OPTIONS, LOCK_WAIT]),
};
const QUERY_MS = 15_000;
/** The ten seconds of pg would close and open connections between two bursts of work. */
const IDLE_MS = 60_000;

function optionsOf(settings: readonly string[]): string {
  return settings.map((setting) => `-c ${setting}`).join(" ");
}

/** `query_ms` limits the wait for each answer; migrations have no limit. */
export function postgresqlFactory(
  connectionString: string,
  query_ms: number | null = QUERY_MS,
): SqlMigrationAwareDriverAdapterFactory {
  const limit = query_ms === null ? { options: optionsOf(SERVER_OPTIONS) } : { query_timeout: query_ms };
  const config = { connectionString, idleTimeoutMillis: IDLE_MS, ...PATIENCE, ...limit };
  const driver = new PrismaPg(config, { statementNameGenerator: nameOf });
  return {
    provider: driver.provider,
    adapterName: driver.adapterName,
    connectToShadowDb: () => driver.connectToShadowDb(),
    connect: async () => withAtomicScripts(await driver.connect()),
  };
}

/** The text of a longer one depends on how many rows it writes or asks for. */
const LONGEST_NAMED = 1_000;

/**
 * PostgreSQL parses and plans a statement with a name once for each connection, which is half of its work (D-394). Empty for one without
 * a name. A script has no arguments, and cannot be prepared.
 */
const nameOf = ({ sql, args }: SqlQuery): string =>
  args.length === 0 || sql.length > LONGEST_NAMED ? "" : `orch_${hash("sha1", sql)}`;

/** The adapter would send a script statement by statement. As one message without parameters it is one transaction. */
const withAtomicScripts = (adapter: SqlDriverAdapter): SqlDriverAdapter =>
  Object.assign(adapter, {
    executeScript: async (sql: string) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    },
  });
