// The backup that a start makes before it migrates the database: by it, and the version before, everything can be undone (D-371).
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../../../config/config.ts";
import { OrchError, wordsOf } from "../../../domain/errors.ts";
import type { Clock } from "../../../ports.ts";
import { moment } from "../../../process/moment.ts";
import type { BeforeMigration } from "../../../store/migrate.ts";
import { readManifest } from "./backup-file.ts";
import { makeBackup, noteBackupOf } from "./make-backup.ts";

const KEPT = 3;
const NAME = /^pre-upgrade-.+\.orch$/;

type Upgrading = {
  readonly version: string;
  readonly clock: Clock;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
};

type Given = Pick<Config, "database_url" | "data_dir" | "backup_before_migration">;

/** Undefined where it is off. What cannot be backed up is not migrated. */
export function backupBefore(config: Given, { version, clock, log }: Upgrading): BeforeMigration | undefined {
  if (config.backup_before_migration === "off") return undefined;
  const folder = join(config.data_dir, "backups");
  return async ({ last, pending, cursor, head }) => {
    const refuse = refusing(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuse);
    const known = await newestOf(folder, await readdir(folder).catch(refuse), version);
    // After a return to an earlier backup, another history may have come as far.
    if (known?.cursor === cursor && isDeepStrictEqual(known.head, await head())) {
      const { file } = known;
      log.info({ file, last, pending }, "the database is in the backup of an earlier try to migrate it");
      return file;
    }
    const time = clock()
      .toISOString()
      .replaceAll(/[-:]|\.\d+/g, "");
    const file = join(folder, `pre-upgrade-${version}-${time}.orch`);
    const manifest = await makeBackup(config, { file }, { version, clock, reads: false }).catch(refuse);
    moment("migration:backed up");
    await noteBackupOf(config, manifest.taken_at).catch((error: unknown) =>
      log.warn({ why: wordsOf(error) }, "the time of the backup before the migration is not on record"),
    );
    // The backup is there, and one that is left over costs room alone.
    await keepLast(folder).catch((error: unknown) =>
      log.warn({ why: wordsOf(error), folder }, "backups before earlier migrations cannot be removed"),
    );
    log.info({ file, last, pending }, "the database was backed up before it is migrated");
    return file;
  };
}

const FORBIDDEN = new Set(["EACCES", "EPERM"]);

const refusing =
  (folder: string) =>
  (error: unknown): never => {
    const { code, cause } = error as NodeJS.ErrnoException;
    const isForbidden = [code, (cause as NodeJS.ErrnoException | undefined)?.code].some((one) =>
      FORBIDDEN.has(one ?? ""),
    );
    const remedy = isForbidden ? `as root: chown -R ${process.geteuid?.()} ${folder}` : "remove the cause";
    throw new OrchError(
      "database_unusable",
      `the database needs a migration and cannot be backed up: ${wordsOf(error)}`,
      { fix: `${remedy}, or back it up yourself and set ORCH_BACKUP_BEFORE_MIGRATION=off`, cause: error },
    );
  };

/** By a start before this one that has not come to its end: in a loop of restarts a new backup each time would push out all earlier ones. */
async function newestOf(folder: string, found: readonly string[], version: string) {
  const names = found.filter((name) => NAME.test(name) && name.startsWith(`pre-upgrade-${version}-`));
  const newest = names.sort((one, other) => (timeIn(one) < timeIn(other) ? -1 : 1)).at(-1);
  if (newest === undefined) return null;
  const file = join(folder, newest);
  // One that cannot be read is none.
  return readManifest(file).then(
    ({ cursor, head }) => ({ file, cursor, head }),
    () => null,
  );
}

/** Their names sort by version and time; those of other versions are older. */
async function keepLast(folder: string): Promise<void> {
  const found = (await readdir(folder)).filter((name) => NAME.test(name));
  const oldest = found.sort((one, other) => (timeIn(one) < timeIn(other) ? -1 : 1)).slice(0, -KEPT);
  for (const name of oldest) await rm(join(folder, name), { force: true });
}

const timeIn = (name: string): string => name.slice(name.lastIndexOf("-"));
