// What this server is to others: its name, the labels that it has, those that it gives to targets, and how they read what its steps write.

import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { readTargetLabels } from "../config/target-labels.ts";
import { JOURNAL_LEVEL } from "../domain/journal.ts";
import { digestOf } from "../domain/json.ts";
import { ownLabels } from "../domain/labels.ts";
import type { ServerSelf } from "../domain/server.ts";
import { agentShellFault } from "../execution/local/confinement/agent-shell-fault.ts";
import { isPostgresql } from "../store/database-target.ts";

/** Rejects with `config_invalid`. `shellFault`: why commands of agents cannot be confined here. */
export async function placeOf(config: Config) {
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

/** Of checkpoints: another version may have another graph. */
export const OWN_VERSION = `${metadata.version}/${JOURNAL_LEVEL}`;

/** What the other servers see of this one. */
export const ownServer = (
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
export const reachedAt = ({ server_url: url, database_url }: Config): Reached | null =>
  url === null || !isPostgresql(database_url) ? null : { url, output_secret: randomBytes(32).toString("base64url") };
