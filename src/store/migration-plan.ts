// What a start does to the schema of a database, from what was done to it. A start and `orch migrate --dry-run` ask here, so that one shows
// what the other does.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory, SqlQuery } from "@prisma/driver-adapter-utils";
import type { MigrationList } from "@prisma/schema-engine-wasm";
import { z } from "zod";
import metadata from "../../package.json" with { type: "json" };
import { OrchError } from "../domain/errors.ts";
import { JOURNAL_LEVEL } from "../domain/journal.ts";
import { RELEASE_LINES, type Release, skippedLine } from "../domain/release.ts";
import type { Ask } from "./copy/heads.ts";
import { kindOf } from "./database-errors.ts";
import { Prisma } from "./generated/sqlite/client.ts";
import { holdersOfServer } from "./postgresql-session.ts";
import type { Provider } from "./sql.ts";

type Migration = { readonly name: string; readonly state: string };

/** Empty for a new database. */
export type MigrationState = {
  readonly history: readonly Migration[];
  readonly compatibility: Compatibility | null;
};

type MigrationPlan = {
  /** To be run, oldest first. */
  readonly pending: readonly string[];
  /** Have left nothing, and are run again. */
  readonly failed: readonly string[];
  /** Null for a new database. */
  readonly last: string | null;
};

/** Prisma's own table, which is no model. It is read before there is a client. */
export const MIGRATION_HISTORY = Prisma.sql`
  SELECT migration_name, CASE WHEN finished_at IS NULL THEN 'failed' ELSE 'applied' END AS state
  FROM _prisma_migrations WHERE rolled_back_at IS NULL`;

const History = z.array(z.object({ migration_name: z.string(), state: z.string() }));

/** `ask` resolves with no rows where there is no such table. */
export async function migrationState(ask: Ask): Promise<MigrationState> {
  const history = History.parse(await ask(MIGRATION_HISTORY));
  const [row] = await ask(COMPATIBILITY);
  return {
    history: history.map(({ migration_name, state }) => ({ name: migration_name, state })),
    compatibility: row === undefined ? null : Compatibility.parse(row),
  };
}

export const askAdapter =
  (adapter: SqlDriverAdapter): Ask =>
  async <T>(statement: Prisma.Sql) => {
    try {
      const { columnNames, rows } = await adapter.queryRaw(queryOf(adapter, statement));
      return rows.map((row) => Object.fromEntries(columnNames.map((name, at) => [name, row[at]])) as T);
    } catch (error) {
      if (kindOf(error) === "TableDoesNotExist") return [];
      throw error;
    }
  };

/** For a database of which no client can be made yet. */
export const queryOf = ({ provider }: SqlDriverAdapter, { sql, text, values }: Prisma.Sql): SqlQuery => ({
  sql: provider === "sqlite" ? sql : text,
  args: values,
  argTypes: values.map(() => ({ scalarType: "unknown", arity: "scalar" })),
});

function pendingIn(history: readonly Migration[], names: readonly string[]): string[] {
  const isApplied = (known: string) => history.some(({ name, state }) => name === known && state === "applied");
  return names.filter((name) => !isApplied(name));
}

/** `names` are the migrations of this version. Throws what a start is refused with. */
export function planMigration(state: MigrationState, names: readonly string[], release: Release): MigrationPlan {
  const { history, compatibility } = state;
  const pending = pendingIn(history, names);
  const stranger = history.find(({ name }) => !names.includes(name));
  const isUsable = pending.length === 0 && mayUse(compatibility);
  if (stranger !== undefined && !isUsable) throw tooNew(stranger.name, compatibility);
  const last = history.findLast(({ name, state: is }) => is === "applied" && names.includes(name))?.name ?? null;
  if (last !== null) ensureNoneSkipped(compatibility?.last_release ?? null, release);
  const failed = history.flatMap(({ name, state: is }) => (is === "failed" ? [name] : []));
  return { pending, failed, last };
}

/** A newer version has migrated it. Its migrations add, so that this one may go on beside it, down to a level (D-329). */
function tooNew(stranger: string, found: Compatibility | null): OrchError {
  const message = `the database was migrated by a newer version of orch (${stranger}): ${wantedBy(found)}`;
  const fix = `run version ${found?.min_version ?? "that has migrated it"} or a later one`;
  return new OrchError("database_unusable", message, { fix });
}

function ensureNoneSkipped(found: string | null, release: Release): void {
  const line = skippedLine(found, release);
  if (line === null) return;
  const last = found === null ? "of an early 0.1 release" : `of release ${found}`;
  const message = `the database is ${last}, and ${release.version} cannot migrate it: ${line} comes between`;
  const fix = `install the last release of ${line}, start it once, or run its orch migrate, and then upgrade to ${release.version}`;
  throw new OrchError("release_skipped", message, { fix });
}

// What a database says of the versions that may use it: down to which level (D-329), and which release was the last to have it (D-380).

/** One row; there is none in a database from before it, and no `last_release` until that was migrated. */
const COMPATIBILITY = Prisma.sql`SELECT * FROM compatibility WHERE id = 'orch'`;

export const recordingOf = (version: string): Prisma.Sql =>
  Prisma.sql`UPDATE compatibility SET last_release = ${version} WHERE id = 'orch'`;

const Compatibility = z.object({
  min_level: z.coerce.number().int(),
  min_version: z.string(),
  last_release: z
    .string()
    .nullish()
    .transform((found) => found ?? null),
});
type Compatibility = z.infer<typeof Compatibility>;

export const OWN_RELEASE: Release = { version: metadata.version, lines: RELEASE_LINES };

const mayUse = (found: Compatibility | null): boolean => found !== null && found.min_level <= JOURNAL_LEVEL;

const wantedBy = (found: Compatibility | null): string =>
  found === null
    ? `it does not say down to which version it may be used`
    : `it needs level ${found.min_level}, which orch has from version ${found.min_version} on, and this one has level ${JOURNAL_LEVEL}`;

// The migrations of this version, in prisma/migrations.

const FOLDER = join(import.meta.dirname, "../../prisma/migrations");
const LOCKFILE = "migration_lock.toml";
const SCRIPT = "migration.sql";

/** Oldest first. */
export async function migrationNames(provider: Provider): Promise<string[]> {
  const entries = await readdir(join(FOLDER, provider), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

export const migrationSql = (provider: Provider, name: string): Promise<string> =>
  readFile(join(FOLDER, provider, name, SCRIPT), "utf8");

export async function migrationList(provider: Provider, names: readonly string[]): Promise<MigrationList> {
  const migrationDirectories = names.map(async (name) => ({
    path: name,
    migrationFile: { path: SCRIPT, content: { tag: "ok" as const, value: await migrationSql(provider, name) } },
  }));
  return {
    baseDir: join(FOLDER, provider),
    lockfile: { path: LOCKFILE, content: await readFile(join(FOLDER, provider, LOCKFILE), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(migrationDirectories),
  };
}

// Reads what was done to a database without using it, and whether a backup is being restored into it: nothing is created,
// locked, migrated or repaired (D-091).

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
    return await migrationState(async <T>({ sql }: Prisma.Sql) => {
      try {
        return database.prepare(sql).all() as T[];
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
    return { version, is_restoring, holder, state: await migrationState(askAdapter(adapter)) };
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
