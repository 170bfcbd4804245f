// Opens the database of a server, which is backed up before it is migrated.
import metadata from "../../package.json" with { type: "json" };
import { backupBefore } from "../backup/before-migration.ts";
import type { Config } from "../config/config.ts";
import { refuseSharedDirectory } from "../config/url-file.ts";
import type { ServerSelf } from "../domain/server.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../ports.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { isPostgresql } from "../store/database-target.ts";

type Opening = {
  readonly self: ServerSelf;
  readonly log: Log;
  readonly clock: Clock;
  readonly onFenced: (reason: string) => void;
};

export async function openOwn(config: Config, { self, log, clock, onFenced }: Opening): Promise<Database> {
  // Of SQLite the file is locked, which says more.
  if (isPostgresql(config.database_url)) await refuseSharedDirectory(config.data_dir);
  const beforeMigration = backupBefore(config, { version: metadata.version, clock, log });
  const warn = (details: object, message: string) => log.warn(details, message);
  return openDatabase({ url: config.database_url, exclusive: true, self, onFenced, beforeMigration, warn });
}
