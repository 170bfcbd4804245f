// Migrates a database to the schema of this version, at start.
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { headOf, type JournalHead } from "../domain/backup.ts";
import { isEarlier, type Release } from "../domain/release.ts";
import { moment } from "../process/moment.ts";
import { threadEnds } from "./copy/heads.ts";
import {
  askThrough,
  type MigrationState,
  migrationList,
  migrationNames,
  migrationState,
  OWN_RELEASE,
  planMigration,
  RECORD_RELEASE,
} from "./migration-plan.ts";
import { withSchemaEngine } from "./schema-engine.ts";
import { numbered, type Provider } from "./sql.ts";
import { connectionThrough } from "./sql-connection.ts";

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

export type Migrating = {
  readonly before?: BeforeMigration | undefined;
  /** Of this version; tests have others. */
  readonly release?: Release | undefined;
};

export type Migrated = { readonly applied: readonly string[]; readonly backup: string | null };

/** Loads the schema engine only when a migration is pending. Rejects with `database_unusable` or `release_skipped`. */
export async function migrate(
  provider: Provider,
  factory: SqlMigrationAwareDriverAdapterFactory,
  { before = async () => null, release = OWN_RELEASE }: Migrating = {},
): Promise<Migrated> {
  const names = await migrationNames(provider);
  const state = await connected(factory, (adapter) => migrationState(askThrough(adapter)));
  const { pending, failed, last } = planMigration(state, names, release);
  let backup: string | null = null;
  if (pending.length > 0) {
    const cursor = last === null ? 0 : await connected(factory, lastCursor);
    const head = () => connected(factory, headIn(provider));
    if (last !== null) backup = await before({ last, pending: pending.length, cursor, head });
    moment("migration:begins");
    await applyMigrations(provider, factory, { names, failed });
  }
  await recordRelease(provider, factory, { state, release });
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
const headIn = (provider: Provider) => async (adapter: SqlDriverAdapter) =>
  headOf(await threadEnds(connectionThrough(() => adapter, provider)));

/** An older version beside a newer one leaves what that one has recorded. */
async function recordRelease(
  provider: Provider,
  factory: SqlMigrationAwareDriverAdapterFactory,
  { state: { compatibility }, release: { version } }: { readonly state: MigrationState; readonly release: Release },
): Promise<void> {
  if (!isEarlier(compatibility?.last_release ?? null, version)) return;
  const sql = provider === "sqlite" ? RECORD_RELEASE : numbered(RECORD_RELEASE);
  await connected(factory, (adapter) =>
    adapter.executeRaw({ sql, args: [version], argTypes: [{ scalarType: "string", arity: "scalar" }] }),
  );
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
