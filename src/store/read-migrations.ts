// Reads what was done to a database without using it, and whether a backup is being restored into it: nothing is created,
// locked, migrated or repaired (D-091).
import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { OrchError } from "../domain/errors.ts";
import { askThrough, type MigrationState, migrationState } from "./migration-plan.ts";
import { holdersOfServer } from "./postgresql-session.ts";

const CONNECT_MS = 4_000;

/** Null where there is no such file. */
export const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );

/** Whether a server has written what it has not moved into the file yet. */
export const hasLog = async (path: string): Promise<boolean> => ((await sizeOf(`${path}-wal`)) ?? 0) > 0;

/** Without a log with `immutable`, because an ordinary reader would leave one and its index beside the file. */
export async function stateOfFile(path: string): Promise<MigrationState> {
  const url = pathToFileURL(path);
  if (!(await hasLog(path))) url.search = "immutable=1";
  const database = new DatabaseSync(url, { readOnly: true, timeout: CONNECT_MS });
  try {
    return await migrationState(async (sql) => {
      try {
        return database.prepare(sql).all();
      } catch (error) {
        if (error instanceof Error && error.message.startsWith("no such table")) return [];
        throw error;
      }
    });
  } finally {
    database.close();
  }
}

/** `holder` are the orch servers that use it; null where there is none. */
export async function stateOfServer(connectionString: string) {
  const adapter = await new PrismaPg({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_MS }).connect();
  try {
    const ask = async (sql: string) => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows[0]?.[0];
    const version = String(await ask("SELECT current_setting('server_version')"));
    const is_restoring = (await ask(IS_RESTORING)) != null;
    const holder = await holdersOfServer(adapter);
    return { version, is_restoring, holder, state: await migrationState(askThrough(adapter)) };
  } finally {
    await adapter.dispose();
  }
}

// The mark of a database into which a backup is being restored: nothing in it may run before it is settled (D-370).

export const RESTORING = "orch_restoring";

export const IS_RESTORING = `SELECT to_regclass('${RESTORING}')::text`;

export const stillRestoring = (): OrchError =>
  new OrchError("database_unusable", "a backup was being restored into this database, and was not finished", {
    fix: "run the same again: orch restore FILE",
  });

/** On PostgreSQL; a SQLite file is filled under another name. */
export async function refuseRestoring(factory: SqlMigrationAwareDriverAdapterFactory): Promise<void> {
  const adapter = await factory.connect();
  try {
    const { rows } = await adapter.queryRaw({ sql: IS_RESTORING, args: [], argTypes: [] });
    if (rows[0]?.[0] != null) throw stillRestoring();
  } finally {
    await adapter.dispose();
  }
}
