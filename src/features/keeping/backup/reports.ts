// What the commands that back up, restore and migrate are given, and what they answer.
import type { BackupManifest } from "../../../domain/backup.ts";
import type { Settled } from "../../../engine/tasks/settle-restored.ts";

export type BackupOrder = {
  readonly file: string;
  /** Whether the bearer token of the data directory is in it. */
  readonly with_tokens?: boolean;
};

export type BackupReport = {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: BackupManifest;
  /** Why the time of the backup is not on record; null where it is. */
  readonly unrecorded: string | null;
};

export type RestoreOrder = {
  readonly file: string;
  /** How many journals are read from their first to their last event; all where it is left out. */
  readonly sample?: number | undefined;
};

export type SettleReport = Record<Settled["as"], number> & {
  /** Promotions whose approval has expired. */
  promotions: number;
  /** Those that are paused now. */
  schedules: number;
  /** What was DONE and not yet verified by its procedure: that is not made up for. */
  unverified: number;
  /** Tasks whose row or journal cannot be read. No server runs anything of them. */
  quarantined: string[];
};

export type RestoreReport = {
  readonly manifest: BackupManifest;
  readonly journals_verified: number;
  /** Of which only the end is in the database: the rest is in the archive, and was not read. */
  readonly journals_archived: number;
  /** As they were in the database that was backed up: a server keeps them in quarantine. */
  readonly journals_broken: readonly string[];
  readonly settled: SettleReport;
  /** `kept`: there was a token file already. */
  readonly token: "none" | "restored" | "kept";
};

export type MigrateOrder = {
  /** Nothing is changed. */
  readonly dry_run: boolean;
};

export type MigrateReport = {
  readonly database: "sqlite" | "postgresql";
  /** The file, or the host and the database. */
  readonly name: string;
  /** Of the release that migrates. */
  readonly version: string;
  readonly dry_run: boolean;
  /** The database has no tables: there is nothing to back up. */
  readonly is_new: boolean;
  /** In the order in which they are run. */
  readonly migrations: readonly { readonly name: string; readonly sql: string }[];
  /** The file of the backup that was made first; null where none was. */
  readonly backup: string | null;
  /** What was left undone beside it. */
  readonly warnings: readonly string[];
};
