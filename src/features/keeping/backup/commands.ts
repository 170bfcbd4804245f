// What `orch backup`, `orch restore` and `orch migrate` do, with a server or without one: a composition root beside src/app.

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import metadata from "../../../../package.json" with { type: "json" };
import { type Env, readConfig } from "../../../config/config.ts";
import { createDataDir } from "../../../config/data-dir.ts";
import { wordsOf } from "../../../domain/errors.ts";
import { migrateAlone, previewMigration } from "../../../store/migrate.ts";
import { backupBefore } from "./before-migration.ts";
import { makeBackup, noteBackupOf } from "./make-backup.ts";
import type { BackupOrder, BackupReport, MigrateOrder, MigrateReport, RestoreOrder, RestoreReport } from "./reports.ts";
import { restoreBackup } from "./restore-backup.ts";

const clock = () => new Date();

export async function backup(environment: Env, order: BackupOrder): Promise<BackupReport> {
  const config = readConfig(environment);
  const manifest = await makeBackup(config, order, { version: metadata.version, clock });
  const file = resolve(order.file);
  // The backup is there all the same.
  const unrecorded = await noteBackupOf(config, manifest.taken_at).then(() => null, wordsOf);
  return { file, bytes: (await stat(file)).size, manifest, unrecorded };
}

export const restore = (environment: Env, order: RestoreOrder): Promise<RestoreReport> =>
  restoreBackup(readConfig(environment), order, clock);

/** What a start does to the database before anything else, by itself or only shown. */
export async function migrate(environment: Env, { dry_run }: MigrateOrder): Promise<MigrateReport> {
  const config = readConfig(environment);
  const { version } = metadata;
  const preview = await previewMigration(config.database_url);
  const { pending: migrations, database, name, is_new } = preview;
  const shown = { database, name, version, dry_run, is_new, migrations, backup: null, warnings: [] };
  if (dry_run) return shown;
  await createDataDir(config.data_dir);
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_details: object, message: string) => void warnings.push(message) };
  const before = backupBefore(config, { version, clock, log });
  const { applied, backup: file } = await migrateAlone(config.database_url, { before });
  const isApplied = ({ name: migration }: { readonly name: string }) => applied.includes(migration);
  return { ...shown, migrations: migrations.filter(isApplied), backup: file, warnings };
}
