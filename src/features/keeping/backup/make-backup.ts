// Makes a backup of the database that the configuration names, beside a running server or without one (D-369).
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { Config } from "../../../config/config.ts";
import { readTokenFile } from "../../../config/token-file.ts";
import type { BackupManifest, DatabaseCopy } from "../../../domain/backup.ts";
import type { Clock } from "../../../ports.ts";
import { dumpPostgresql, notePostgresqlBackup } from "../../../store/copy/postgresql-copy.ts";
import { copySqlite, noteSqliteBackup, removeSqlite } from "../../../store/copy/sqlite-copy.ts";
import { isPostgresql, sqlitePath } from "../../../store/database-target.ts";
import { writeBackup } from "./backup-file.ts";
import type { BackupOrder } from "./reports.ts";

type Making = {
  readonly version: string;
  readonly clock: Clock;
  /** Whether every journal is read; a start that migrates has no time for it. */
  readonly reads?: boolean;
};
type Source = Pick<Config, "database_url" | "data_dir">;

export async function makeBackup(
  { database_url, data_dir }: Source,
  { file, with_tokens = false }: BackupOrder,
  { version, clock, reads = true }: Making,
): Promise<BackupManifest> {
  const path = resolve(file);
  const taken_at = clock().toISOString();
  return writeBackup(path, version, async (pack) => {
    const database = isPostgresql(database_url)
      ? await dumpPostgresql(database_url, { reads }, (dump) => pack("database", dump))
      : await packedCopy(
          (copy) => copySqlite(sqlitePath(database_url), copy, { reads }),
          `${path}.${process.pid}.copy`,
          (copy) => pack("database", copy),
        );
    const token = with_tokens ? await readTokenFile(data_dir) : null;
    if (token !== null) await pack("token", Readable.from([Buffer.from(token, "utf8")]));
    return { ...database, taken_at };
  });
}

async function packedCopy(
  copyTo: (copy: string) => Promise<DatabaseCopy>,
  copy: string,
  pack: (source: Readable) => Promise<void>,
): Promise<DatabaseCopy> {
  try {
    const found = await copyTo(copy);
    await pack(createReadStream(copy));
    return found;
  } finally {
    await removeSqlite(copy);
  }
}

/** For who asks how old the last backup is. */
export const noteBackupOf = ({ database_url }: Pick<Config, "database_url">, taken_at: string): Promise<void> =>
  isPostgresql(database_url)
    ? notePostgresqlBackup(database_url, taken_at)
    : noteSqliteBackup(sqlitePath(database_url), taken_at);
