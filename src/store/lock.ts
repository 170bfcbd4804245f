// One orch server per database (D-047). The operating system or the database server holds the lock for this process and
// releases it when the process ends, even on SIGKILL.
import { readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import { OrchError } from "../domain/errors.ts";

export type Lock = {
  /** Resolves while the lock is held. Acquires it again after its session was lost, or rejects. */
  readonly ensure: () => Promise<void>;
  readonly release: () => Promise<void>;
};

const inUse = (holder: string, cause?: unknown): OrchError =>
  new OrchError("database_unusable", `another orch server (${holder}) is using this database`, {
    fix: "stop it first, or give this server its own database",
    cause,
  });

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

// "orch" in ASCII: the number of this lock in every PostgreSQL database.
const LOCK_ID = 0x6f726368;
const NAME = `orch pid ${process.pid} on ${hostname()}`;
// The loss of a server's network is noticed within a minute instead of two hours.
const KEEPALIVE = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/** An advisory lock of a separate session. */
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
