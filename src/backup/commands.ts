// What `orch backup` and `orch restore` do, with a server or without one: a composition root beside src/app.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import metadata from "../../package.json" with { type: "json" };
import { type Env, readConfig } from "../config/config.ts";
import { wordsOf } from "../domain/errors.ts";
import { makeBackup, noteBackupOf } from "./make-backup.ts";
import type { BackupOrder, BackupReport, RestoreOrder, RestoreReport } from "./reports.ts";
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
