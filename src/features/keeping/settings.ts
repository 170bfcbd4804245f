// The settings of what is kept: backups, archived journals and the roots of days.
import { setting } from "../../config/setting.ts";
import { Directory, File, oneOf, orNull, whole } from "../../config/values.ts";

export const KEEPING_SETTINGS = {
  backup_before_migration: setting(
    "ORCH_BACKUP_BEFORE_MIGRATION",
    oneOf(["on", "off"]).default("on"),
    "whether a start that migrates the database first backs it up, to `backups` in the data directory; the last three are kept",
  ),
  anchor_file: setting(
    "ORCH_ANCHOR_FILE",
    orNull(File),
    "a file to which each day's root over all journals is added, one line a day: keep it where this machine cannot change it, such as in git",
  ),
  archive_dir: setting(
    "ORCH_ARCHIVE_DIR",
    orNull(Directory),
    "the directory of archived journals, which every server can read; back it up like any files",
  ),
  keep_days: setting(
    "ORCH_KEEP_DAYS",
    whole(0, 36_500, 0),
    "days after which the journal of a task that has ended is moved to `ORCH_ARCHIVE_DIR`; 0: all are kept in the database",
  ),
} as const;
