// What a start would run on a database, for `orch migrate --dry-run`: it reads, beside a running server too, and changes nothing (D-381).
import { realpath } from "node:fs/promises";
import type { Release } from "../domain/release.ts";
import { OWN_RELEASE } from "./compatibility.ts";
import { targetOf } from "./database-target.ts";
import { cannotUse } from "./fault.ts";
import { migrationNames, migrationSql } from "./migration-files.ts";
import { planMigration } from "./migration-plan.ts";
import { sizeOf, stateOfFile, stateOfServer } from "./read-migrations.ts";
import { stillRestoring } from "./restoring.ts";
import type { Provider } from "./sql.ts";

export type MigrationPreview = {
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
