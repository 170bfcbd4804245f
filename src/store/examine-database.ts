// Examines a database without using it, for `orch doctor`.
import { access, constants, realpath } from "node:fs/promises";
import { OrchError } from "../domain/errors.ts";
import type { Release } from "../domain/release.ts";
import { isPostgresql, sqlitePath, targetOf } from "./database-target.ts";
import { cannotUse, reasonOf } from "./fault.ts";
import { type Migrated, type Migrating, migrate } from "./migrate.ts";
import { type MigrationState, migrationNames, migrationSql, OWN_RELEASE, planMigration } from "./migration-plan.ts";
import type { Owning } from "./ownership.ts";
import { hasLog, refuseRestoring, sizeOf, stateOfFile, stateOfServer, stillRestoring } from "./read-migrations.ts";
import type { Provider } from "./sql.ts";
import { holderOfFile } from "./sqlite-lock.ts";

/**
 * `holder` is the orch server that uses the database. `pending` counts the migrations that the next start applies, null when
 * unknown; `refusal` is what the next start is refused with.
 */
export type DatabaseExamination =
  | { readonly is: "missing"; readonly path: string }
  | { readonly is: "unusable"; readonly reason: string }
  | {
      readonly is: "there";
      readonly name: string;
      readonly holder: string | null;
      readonly pending: number | null;
      readonly refusal: Pick<OrchError, "message" | "fix"> | null;
    };

const UNSEEN = { pending: null, refusal: null };

export async function examineDatabase(url: string): Promise<DatabaseExamination> {
  try {
    return await (isPostgresql(url) ? examineServer(url) : examineFile(sqlitePath(url)));
  } catch (error) {
    return { is: "unusable", reason: reasonOf(error) };
  }
}

async function examineFile(given: string): Promise<DatabaseExamination> {
  const path = await realpath(given).catch(() => given);
  if ((await sizeOf(path)) === null) return { is: "missing", path };
  await access(path, constants.R_OK | constants.W_OK);
  const there = { is: "there", name: `SQLite, ${path}` } as const;
  const holder = await holderOfFile(path);
  // Reading what a server has left in its log would repair the file.
  if (holder !== null || (await hasLog(path))) return { ...there, holder, ...UNSEEN };
  return { ...there, holder, ...(await judged("sqlite", await stateOfFile(path))) };
}

async function examineServer(url: string): Promise<DatabaseExamination> {
  const { version, holder, state, is_restoring } = await stateOfServer(url);
  const found = is_restoring ? { pending: null, refusal: stillRestoring() } : await judged("postgresql", state);
  return { is: "there", name: `PostgreSQL ${version}`, holder, ...found };
}

async function judged(provider: Provider, state: MigrationState) {
  try {
    const { pending } = planMigration(state, await migrationNames(provider), OWN_RELEASE);
    return { pending: pending.length, refusal: null };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { pending: null, refusal: error };
  }
}

// What a start would run on a database, for `orch migrate --dry-run`: it reads, beside a running server too, and changes nothing (D-381).

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

// Migrates a database as a start does, and leaves it: under the lock of its servers, so that on SQLite none may have it meanwhile.

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
