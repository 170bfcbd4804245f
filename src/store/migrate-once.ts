// Migrates a database for `orch migrate` as a start does, and leaves it; with --dry-run it only reads what a start would
// run, beside a running server too (D-381).
import { realpath } from "node:fs/promises";
import type { Release } from "../domain/release.ts";
import { targetOf } from "./database-target.ts";
import { cannotUse } from "./fault.ts";
import { type Migrated, type Migrating, migrate } from "./migrate.ts";
import { migrationNames, migrationSql, OWN_RELEASE, planMigration } from "./migration-plan.ts";
import type { Owning } from "./ownership.ts";
import { refuseRestoring, sizeOf, stateOfFile, stateOfServer, stillRestoring } from "./read-migrations.ts";
import type { Provider } from "./sql.ts";

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
