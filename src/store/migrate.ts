// Migrates a database to the schema of this version: at start, and for `orch migrate`.

import { readFile, realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { headOf, type JournalHead } from "../domain/backup.ts";
import { isEarlier, type Release } from "../domain/release.ts";
import { moment } from "../process/moment.ts";
import { threadEnds } from "./copy/heads.ts";
import { cannotUse } from "./database-errors.ts";
import { targetOf } from "./database-target.ts";
import {
  askAdapter,
  type MigrationState,
  migrationList,
  migrationNames,
  migrationSql,
  migrationState,
  OWN_RELEASE,
  planMigration,
  queryOf,
  recordingOf,
  refuseRestoring,
  sizeOf,
  stateOfFile,
  stateOfServer,
  stillRestoring,
} from "./migration-plan.ts";
import type { Owning } from "./ownership.ts";
import type { Provider } from "./sql.ts";

/**
 * Called before the migrations of a database that has been used: what it holds can be backed up as it is. Resolves with the file of the
 * backup; null where none is made.
 */
export type BeforeMigration = (applied: {
  readonly last: string;
  readonly pending: number;
  /** Of the last event. */
  readonly cursor: number;
  /** Reads the end of every journal: nothing was written since a backup with the same, and another history has another. */
  readonly head: () => Promise<JournalHead>;
}) => Promise<string | null>;

type Migrating = {
  readonly before?: BeforeMigration | undefined;
  /** Of this version; tests have others. */
  readonly release?: Release | undefined;
};

type Migrated = { readonly applied: readonly string[]; readonly backup: string | null };

/** Loads the schema engine only when a migration is pending. Rejects with `database_unusable` or `release_skipped`. */
export async function migrate(
  provider: Provider,
  factory: SqlMigrationAwareDriverAdapterFactory,
  { before = async () => null, release = OWN_RELEASE }: Migrating = {},
): Promise<Migrated> {
  const names = await migrationNames(provider);
  const state = await connected(factory, (adapter) => migrationState(askAdapter(adapter)));
  const { pending, failed, last } = planMigration(state, names, release);
  let backup: string | null = null;
  if (pending.length > 0) {
    const cursor = last === null ? 0 : await connected(factory, lastCursor);
    const head = () => connected(factory, headIn);
    if (last !== null) backup = await before({ last, pending: pending.length, cursor, head });
    moment("migration:begins");
    await applyMigrations(provider, factory, { names, failed });
  }
  await recordRelease(factory, { state, release });
  if (pending.length > 0) moment("migration:done");
  return { applied: pending, backup };
}

/** Closes its connection: on SQLite the engine needs the file alone. */
async function connected<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  use: (adapter: SqlDriverAdapter) => Promise<T>,
): Promise<T> {
  const adapter = await factory.connect();
  try {
    return await use(adapter);
  } finally {
    await adapter.dispose();
  }
}

async function lastCursor(adapter: SqlDriverAdapter): Promise<number> {
  const sql = "SELECT COALESCE(MAX(cursor), 0) FROM journal_event";
  const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] });
  return Number(rows[0]?.[0] ?? 0);
}

/** By statements that every schema can answer. */
const headIn = async (adapter: SqlDriverAdapter) => headOf(await threadEnds(askAdapter(adapter)));

/** An older version beside a newer one leaves what that one has recorded. */
async function recordRelease(
  factory: SqlMigrationAwareDriverAdapterFactory,
  { state: { compatibility }, release: { version } }: { readonly state: MigrationState; readonly release: Release },
): Promise<void> {
  if (!isEarlier(compatibility?.last_release ?? null, version)) return;
  await connected(factory, (adapter) => adapter.executeRaw(queryOf(adapter, recordingOf(version))));
}

/** Each script is one transaction on both databases, so a failed one has left nothing and may be tried again. */
export async function applyMigrations(
  provider: Provider,
  factory: SqlMigrationAwareDriverAdapterFactory,
  { names, failed }: { readonly names: readonly string[]; readonly failed: readonly string[] },
): Promise<void> {
  const migrationsList = await migrationList(provider, names);
  const filters = { externalTables: [], externalEnums: [] };
  await withSchemaEngine(factory, async (engine) => {
    for (const migrationName of failed) await engine.markMigrationRolledBack({ migrationName });
    await engine.applyMigrations({ migrationsList, filters });
  });
}

// Migrates a database for `orch migrate` as a start does, and leaves it; with --dry-run it only reads what a start would
// run, beside a running server too (D-381).

type MigratedAlone = Migrated & { readonly database: Provider; readonly name: string };

/** Rejects with what a start would be refused with. */
export async function migrateAlone(url: string, migrating: Migrating): Promise<MigratedAlone> {
  const { provider, name, factory, migrations, owns } = targetOf(url);
  let owning: Owning | undefined;
  try {
    owning = await owns();
    if (provider === "postgresql") await refuseRestoring(factory);
    const migrated = await owning.alone(() => migrate(provider, migrations, migrating));
    return { database: provider, name, ...migrated };
  } catch (error) {
    throw cannotUse(name, error);
  } finally {
    await owning?.release();
  }
}

type MigrationPreview = {
  readonly database: Provider;
  /** The file, or the host and the database. */
  readonly name: string;
  /** A start makes the tables; there is nothing to back up. */
  readonly is_new: boolean;
  readonly pending: readonly { readonly name: string; readonly sql: string }[];
};

const NEW = { history: [], compatibility: null };

/** Rejects with what a start would be refused with. */
export async function previewMigration(url: string, release: Release = OWN_RELEASE): Promise<MigrationPreview> {
  const { provider, name } = targetOf(url);
  const state = await (provider === "sqlite" ? fileAt(name) : serverAt(url)).catch((error: unknown) => {
    throw cannotUse(name, error);
  });
  const { pending, last } = planMigration(state, await migrationNames(provider), release);
  const scripts = pending.map(async (migration) => ({ name: migration, sql: await migrationSql(provider, migration) }));
  return { database: provider, name, is_new: last === null, pending: await Promise.all(scripts) };
}

async function fileAt(given: string) {
  const path = await realpath(given).catch(() => given);
  return (await sizeOf(path)) === null ? NEW : stateOfFile(path);
}

async function serverAt(url: string) {
  const { state, is_restoring } = await stateOfServer(url);
  if (is_restoring) throw stillRestoring();
  return state;
}

// Runs Prisma's schema engine as WebAssembly. It writes and applies migrations without the engine binary that Prisma's
// command line would download, and keeps the `_prisma_migrations` table that `prisma migrate deploy` reads.

// The types of Node contain only the namespace.
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

// The bindings keep one instance in module scope, so a process creates it once.
let loading: ReturnType<typeof load> | undefined;

async function load() {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm")).replace(/\.js$/, "_bg.wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(wasm), { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
  return bindings;
}

/** Loading takes about 60 ms, so callers check first whether anything is pending. */
export async function withSchemaEngine<T>(
  factory: SqlMigrationAwareDriverAdapterFactory,
  use: (engine: SchemaEngine) => Promise<T>,
  schema?: { readonly path: string; readonly content: string },
): Promise<T> {
  loading ??= load();
  const { SchemaEngine } = await loading;
  const datamodels: [string, string][] | undefined = schema && [[schema.path, schema.content]];
  const opened: SqlDriverAdapter[] = [];
  const adapters = bindMigrationAwareSqlAdapterFactory(remembering(factory, opened));
  try {
    const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapters);
    return await use(engine).finally(() => engine.free());
  } finally {
    await Promise.all(opened.map((adapter) => adapter.dispose()));
  }
}

/** The engine leaves its connections open, and on SQLite they hold the file. */
function remembering(
  factory: SqlMigrationAwareDriverAdapterFactory,
  opened: SqlDriverAdapter[],
): SqlMigrationAwareDriverAdapterFactory {
  const remember = async (connecting: Promise<SqlDriverAdapter>) => {
    const adapter = await connecting;
    opened.push(adapter);
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: () => remember(factory.connect()),
    connectToShadowDb: () => remember(factory.connectToShadowDb()),
  };
}
