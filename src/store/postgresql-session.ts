// Opens a session of PostgreSQL beside the pool: it holds the lock that servers share, which keeps out a version that must
// be alone (D-047), and hears what other servers announce (D-315). Every server has one.

import { hash } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory, SqlQuery } from "@prisma/driver-adapter-utils";
import { Client } from "pg";
import { inUse, type Lock } from "./sqlite-lock.ts";

const CHANNEL = "orch";
// "orch" in ASCII: the number of this lock in every PostgreSQL database.
const LOCK_ID = 0x6f726368;
const NAME = `orch pid ${process.pid} on ${hostname()}`;
const SESSION_MS = 5_000;
const RETRY_MS = 1_000;
/** Of migrations: a server that waits longer for those of another does not start. */
const LONGEST_WORK_MS = 300_000;

/** Null after the session was lost and made again: anything may have been announced meanwhile. */
export type Heard = (announced: string | null) => void;

export type Session = Lock & {
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly hear: (heard: Heard) => void;
};

/** Refused while a server of a version has the database that lets no other in. */
export async function openSession(connectionString: string): Promise<Session> {
  let heard: Heard = () => undefined;
  let client: Client | null = null;
  let isReleased = false;
  const connect = async (): Promise<boolean> => {
    const made = await connected(connectionString, (lost) => {
      if (client === lost) void again();
    });
    made.on("notification", ({ payload = "" }) => heard(payload));
    client = made;
    return true;
  };
  /** At once, and then every second. What was announced meanwhile is not heard, so all look. */
  const again = async (): Promise<void> => {
    client = null;
    while (!isReleased && client === null) {
      if (await connect().catch(() => false)) heard(null);
      else await sleep(RETRY_MS, undefined, { ref: false });
    }
  };
  await connect();
  return {
    identity: null,
    alone: (work) => workAlone(connectionString, work),
    hear: (listener) => {
      heard = listener;
    },
    check: async () => {
      const asked = client;
      const isAlive = await asked?.query("SELECT 1").then(
        () => true,
        () => false,
      );
      if (isAlive === false) await asked?.end().catch(() => undefined);
      return client !== null;
    },
    release: async () => {
      isReleased = true;
      const ended = client;
      client = null;
      // The end of the session frees the lock too, but a moment after it is reported: a server that starts at once is not refused.
      await ended?.query(`SELECT pg_advisory_unlock_shared(${LOCK_ID})`).catch(() => undefined);
      await ended?.end().catch(() => undefined);
    },
  };
}

/** The lock is one of a transaction: it ends with the connection, or with this process, however that ends (D-329). */
async function workAlone<T>(connectionString: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, application_name: NAME, ...PATIENCE });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    await client.query(`SET LOCAL lock_timeout = ${LONGEST_WORK_MS}`);
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK_ID}, 1)`);
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connected(connectionString: string, lost: (client: Client) => void): Promise<Client> {
  const waits = { ...PATIENCE, connectionTimeoutMillis: SESSION_MS, query_timeout: SESSION_MS };
  const client = new Client({ connectionString, application_name: NAME, ...waits });
  client.on("error", () => lost(client));
  client.on("end", () => lost(client));
  await client.connect().catch((cause: unknown) => {
    throw new Error(faultOf(cause), { cause });
  });
  try {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock_shared(${LOCK_ID}) AS held`);
    if (rows[0]?.held !== true) throw inUse((await client.query(HOLDERS)).rows[0]?.names ?? "pid unknown");
    await client.query(`LISTEN ${CHANNEL}`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** The orch servers that use the connected database, null when there is none. */
export async function holdersOfServer(adapter: SqlDriverAdapter): Promise<string | null> {
  const { rows } = await adapter.queryRaw({ sql: HOLDERS, args: [], argTypes: [] });
  const names = rows[0]?.[0];
  return names == null ? null : String(names);
}

const HOLDERS = `
  SELECT string_agg(substr(a.application_name, 6), ', ' ORDER BY a.application_name) AS names
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.granted AND l.objid = ${LOCK_ID} AND l.objsubid = 1
    AND a.application_name LIKE 'orch pid %'
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const FAULTS = new Map([
  ["28P01", "the server refused the user or password"],
  ["28000", "the server refused the user or password"],
  ["3D000", "there is no such database"],
]);

/** One clause for an operator: the driver gives codes of PostgreSQL, and of the network. */
function faultOf(error: unknown): string {
  const { code = "", message = "" }: { code?: string; message?: string } = Object(error);
  const known = FAULTS.get(code) ?? (/^E[A-Z]+$/.test(code) ? "the server cannot be reached" : undefined);
  return known === undefined ? message : `${known} (${message === "" ? code : message})`;
}

// PostgreSQL through Prisma's adapter. Each transaction has its own connection of the pool, so no statement waits.

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
