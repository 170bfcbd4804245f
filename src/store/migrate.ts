// Migrates a database to the schema of this version, at start. The migrations are in prisma/migrations.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList } from "@prisma/schema-engine-wasm";
import { OrchError } from "../domain/errors.ts";
import { moment } from "../process/moment.ts";
import { COMPATIBILITY, mayUse, wantedBy } from "./compatibility.ts";
import { kindOf } from "./fault.ts";
import { withSchemaEngine } from "./schema-engine.ts";
import { MIGRATION_HISTORY, type Provider } from "./sql.ts";

const FOLDER = join(import.meta.dirname, "../../prisma/migrations");
const LOCKFILE = "migration_lock.toml";

/** Called before the migrations of a database that has been used: what it holds can be backed up as it is. */
export type BeforeMigration = (applied: {
  readonly last: string;
  readonly pending: number;
  /** Of the last event: nothing was written since a backup that has it too. */
  readonly cursor: number;
}) => Promise<void>;

/** Loads the schema engine only when a migration is pending. Rejects with `database_unusable`. */
export async function migrate(
  provider: Provider,
  factory: SqlMigrationAwareDriverAdapterFactory,
  before: BeforeMigration = async () => undefined,
): Promise<void> {
  const [names, history] = await Promise.all([migrationNames(provider), readHistory(factory)]);
  const pending = names.filter((known) => !history.some(({ name }) => name === known)).length;
  const isPending = pending > 0;
  const stranger = history.find(({ name }) => !names.includes(name));
  if (stranger !== undefined) return ensureUsable(stranger.name, isPending, factory);
  const failed = history.flatMap(({ name, state }) => (state === "failed" ? [name] : []));
  if (!isPending && failed.length === 0) return;
  const last = history.findLast(({ state }) => state === "applied")?.name;
  if (last !== undefined) await before({ last, pending, cursor: await lastCursor(factory) });
  moment("migration:begins");
  await applyMigrations(provider, names, failed, factory);
  moment("migration:done");
}

/** A newer version has migrated it. Its migrations add, so that this one may go on beside it, down to a level (D-329). */
async function ensureUsable(
  stranger: string,
  isPending: boolean,
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<void> {
  const [row] = await readRows(factory, COMPATIBILITY);
  const found = row === undefined ? null : { min_level: Number(row[0]), min_version: String(row[1]) };
  if (mayUse(found) && !isPending) return;
  const message = `the database was migrated by a newer version of orch (${stranger}): ${wantedBy(found)}`;
  const fix = `run version ${found?.min_version ?? "that has migrated it"} or a later one`;
  throw new OrchError("database_unusable", message, { fix });
}

/** Empty for a new database. */
const readHistory = async (factory: SqlMigrationAwareDriverAdapterFactory) =>
  (await readRows(factory, MIGRATION_HISTORY)).map(([name, state]) => ({ name: String(name), state }));

async function lastCursor(factory: SqlMigrationAwareDriverAdapterFactory): Promise<number> {
  const [row] = await readRows(factory, "SELECT COALESCE(MAX(cursor), 0) FROM journal_event");
  return Number(row?.[0] ?? 0);
}

/** Closes its connection: on SQLite the engine needs the file alone. None where there is no such table. */
async function readRows(factory: SqlMigrationAwareDriverAdapterFactory, sql: string): Promise<unknown[][]> {
  const adapter = await factory.connect();
  try {
    return (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows;
  } catch (error) {
    if (kindOf(error) === "TableDoesNotExist") return [];
    throw error;
  } finally {
    await adapter.dispose();
  }
}

/** The migrations of this version, oldest first. */
export async function migrationNames(provider: Provider): Promise<string[]> {
  const entries = await readdir(join(FOLDER, provider), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** Each script is one transaction on both databases, so a failed one has left nothing and may be tried again. */
async function applyMigrations(
  provider: Provider,
  names: readonly string[],
  failed: readonly string[],
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<void> {
  const migrationsList = await migrationList(provider, names);
  const filters = { externalTables: [], externalEnums: [] };
  await withSchemaEngine(factory, async (engine) => {
    for (const migrationName of failed) await engine.markMigrationRolledBack({ migrationName });
    await engine.applyMigrations({ migrationsList, filters });
  });
}

async function migrationList(provider: Provider, names: readonly string[]): Promise<MigrationList> {
  const read = (...path: string[]) => readFile(join(FOLDER, provider, ...path), "utf8");
  const migrationDirectories = names.map(async (name) => ({
    path: name,
    migrationFile: {
      path: "migration.sql",
      content: { tag: "ok" as const, value: await read(name, "migration.sql") },
    },
  }));
  return {
    baseDir: join(FOLDER, provider),
    lockfile: { path: LOCKFILE, content: await read(LOCKFILE) },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(migrationDirectories),
  };
}
