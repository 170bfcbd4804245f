// Says what this server is to others (its name, the labels that it has, those that it gives to targets, and how they read what its steps
// write), and opens what it has for itself: its secrets and its database.

import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import metadata from "../../package.json" with { type: "json" };
import { readTokens } from "../api/http/caller.ts";
import { refuseSharedDirectory } from "../config/address-file.ts";
import type { Config } from "../config/config.ts";
import { secretsOf } from "../config/secrets.ts";
import { readTargetLabels } from "../config/target-labels.ts";
import { FLOW_ENGINE, ownLabels, type TargetLabels } from "../domain/contract.ts";
import { JOURNAL_LEVEL } from "../domain/journal.ts";
import { digestOf } from "../domain/json.ts";
import type { ServerSelf } from "../domain/server.ts";
import { agentShellFault } from "../execution/execution.ts";
import { backupBefore } from "../features/keeping/backup/before-migration.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../ports.ts";
import { redactionOf } from "../redact/find-secrets.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { isPostgresql } from "../store/database-target.ts";

export type Place = {
  /** What this server is called. */
  readonly name: string;
  /** What it has. */
  readonly labels: readonly string[];
  readonly target_labels: readonly TargetLabels[];
  /** Why commands of agents cannot be confined here; null when they can. */
  readonly shellFault: () => Promise<string | null>;
};

/** Rejects with `config_invalid`. */
export async function placeOf(config: Config): Promise<Place> {
  const target_labels = await readTargetLabels(config.target_labels_file);
  const found = agentShellFault(config);
  const shellFault = () => found;
  const confines = await found.then(
    (fault) => fault === null,
    // Where that cannot be found out they are not confined; the first task of an agent says why.
    () => false,
  );
  const host = hostname();
  const name = config.server_name ?? host;
  const labels = ownLabels(config.labels, { host, confines, has_engine: config.flow_engine !== null });
  return { name, labels, target_labels, shellFault };
}

/** The only server takes the tasks of a flow engine that it does not have, too, and says in each that there is none. */
export const claimingPlace = (place: Place, { are_many }: { readonly are_many: boolean }): Place =>
  are_many ? place : { ...place, labels: [...place.labels, FLOW_ENGINE] };

/** Of checkpoints: another version may have another graph. */
export const OWN_VERSION = `${metadata.version}/${JOURNAL_LEVEL}`;

/** What the other servers see of this one. */
const ownServer = (
  { concurrency, data_dir, freeze_windows }: Config,
  { name, labels }: Pick<ServerSelf, "name" | "labels">,
  reached: Reached | null,
): ServerSelf => ({
  name,
  labels,
  concurrency,
  data_dir,
  ...reached,
  windows_digest: freeze_windows.length === 0 ? null : digestOf(freeze_windows),
  version: metadata.version,
  journal_level: JOURNAL_LEVEL,
});

export type Reached = Required<Pick<ServerSelf, "url" | "output_secret">>;

/** Null where the others read nothing of this server: it says not where, or a SQLite file has no others. The secret is new at each start. */
const reachedAt = ({ server_url: url, database_url }: Config): Reached | null =>
  url === null || !isPostgresql(database_url) ? null : { url, output_secret: randomBytes(32).toString("base64url") };

/** Everything that no text may show, as far as it is known when the server starts. */
export async function readSecrets(config: Config) {
  const { tokens, path: token_path, secrets } = await readTokens(config);
  const reached = reachedAt(config);
  const own = reached === null ? [] : [reached.output_secret];
  return { tokens, token_path, reached, redaction: redactionOf([...secretsOf(config), ...secrets, ...own]) };
}

type Opening = {
  readonly place: Place;
  readonly reached: Reached | null;
  readonly log: Log;
  readonly clock: Clock;
  readonly onFenced: (reason: string) => void;
};

/** Opens the database of this server, which is backed up before it is migrated. */
export async function openOwnDatabase(
  config: Config,
  { place, reached, log, clock, onFenced }: Opening,
): Promise<Database> {
  // Of SQLite the file is locked, which says more.
  if (isPostgresql(config.database_url)) await refuseSharedDirectory(config.data_dir);
  const self = ownServer(config, place, reached);
  const beforeMigration = backupBefore(config, { version: metadata.version, clock, log });
  const warn = (details: object, message: string) => log.warn(details, message);
  return openDatabase({ url: config.database_url, exclusive: true, self, onFenced, beforeMigration, warn });
}
