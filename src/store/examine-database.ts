// Examines a database without using it, for `orch doctor`: it creates, locks, migrates and repairs nothing (D-091).
import { access, constants, realpath, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { z } from "zod";
import { COMPATIBILITY, type Compatibility, mayUse } from "./compatibility.ts";
import { sqlitePath } from "./database.ts";
import { reasonOf } from "./fault.ts";
import { migrationNames } from "./migrate.ts";
import { holdersOfServer } from "./postgresql-session.ts";
import { MIGRATION_HISTORY } from "./sql.ts";
import { holderOfFile } from "./sqlite-lock.ts";

/**
 * `holder` is the orch server that uses the database. `pending` counts the migrations that the next start applies, null when
 * unknown; `stranger` is a migration of a newer version, where this one may not use the database with it.
 */
export type DatabaseExamination =
  | { readonly is: "missing"; readonly path: string }
  | { readonly is: "unusable"; readonly reason: string }
  | {
      readonly is: "there";
      readonly name: string;
      readonly holder: string | null;
      readonly pending: number | null;
      readonly stranger: string | null;
    };

const CONNECT_MS = 4_000;
const UNSEEN = { pending: null, stranger: null };

export async function examineDatabase(url: string): Promise<DatabaseExamination> {
  try {
    return await (/^postgres(ql)?:/.test(url) ? examineServer(url) : examineFile(sqlitePath(url)));
  } catch (error) {
    return { is: "unusable", reason: reasonOf(error) };
  }
}

async function examineFile(given: string): Promise<DatabaseExamination> {
  const path = await realpath(given).catch(() => given);
  const size = await sizeOf(path);
  if (size === null) return { is: "missing", path };
  await access(path, constants.R_OK | constants.W_OK);
  const there = { is: "there", name: `SQLite, ${path}` } as const;
  const holder = await holderOfFile(path);
  // Rows that a server has not yet moved from its log into the file are not read: reading them would repair the file.
  if (holder !== null || ((await sizeOf(`${path}-wal`)) ?? 0) > 0) return { ...there, holder, ...UNSEEN };
  const { history, compatibility } = fileHistory(path);
  return { ...there, holder, ...compare(history, compatibility, await migrationNames("sqlite")) };
}

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );

const History = z.array(z.object({ migration_name: z.string(), state: z.string() }));
type Migration = { readonly name: string; readonly state: string };

const Compatible = z.array(z.object({ min_level: z.int(), min_version: z.string() }));

/** With `immutable`, because an ordinary reader would leave a log and its index beside the file. */
function fileHistory(path: string) {
  const url = pathToFileURL(path);
  url.search = "immutable=1";
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    const rowsOf = (table: string, sql: string) => {
      const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").all(table);
      return tables.length === 0 ? [] : database.prepare(sql).all();
    };
    const history = History.parse(rowsOf("_prisma_migrations", MIGRATION_HISTORY));
    const [compatibility = null] = Compatible.parse(rowsOf("compatibility", COMPATIBILITY));
    return { history: history.map(({ migration_name, state }) => ({ name: migration_name, state })), compatibility };
  } finally {
    database.close();
  }
}

const VERSION =
  "SELECT current_setting('server_version'), to_regclass('_prisma_migrations')::text, to_regclass('compatibility')::text";

async function examineServer(connectionString: string): Promise<DatabaseExamination> {
  const adapter = await new PrismaPg({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_MS }).connect();
  try {
    const ask = async (sql: string) => (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows;
    const [[version, table, levels] = []] = await ask(VERSION);
    const history =
      table == null
        ? []
        : (await ask(MIGRATION_HISTORY)).map(([name, state]) => ({ name: String(name), state: String(state) }));
    const holder = await holdersOfServer(adapter);
    const [row] = levels == null ? [] : await ask(COMPATIBILITY);
    const compatibility = row === undefined ? null : { min_level: Number(row[0]), min_version: String(row[1]) };
    const compared = compare(history, compatibility, await migrationNames("postgresql"));
    return { is: "there", name: `PostgreSQL ${version}`, holder, ...compared };
  } finally {
    await adapter.dispose();
  }
}

/** A failed migration has left nothing and is applied again. */
function compare(history: readonly Migration[], compatibility: Compatibility | null, names: readonly string[]) {
  const isApplied = (known: string) => history.some(({ name, state }) => name === known && state === "applied");
  const pending = names.filter((known) => !isApplied(known)).length;
  const stranger = history.find(({ name }) => !names.includes(name))?.name ?? null;
  return { pending, stranger: stranger === null || (pending === 0 && mayUse(compatibility)) ? null : stranger };
}
