// What this server is to others: its name, the labels that it has, and those that it gives to targets.
import { hostname } from "node:os";
import type { Config } from "../config/config.ts";
import { readTargetLabels } from "../config/target-labels.ts";
import { ownLabels } from "../domain/labels.ts";
import { agentShellFault } from "../execution/local/confinement/agent-shell-fault.ts";

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
  const name = hostname();
  const labels = ownLabels(config.labels, { host: name, confines });
  return { name, labels, target_labels, shellFault };
}
