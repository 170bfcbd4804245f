// Checks which labels this server has, and whether the file with the labels of targets can be read.
import { hostname } from "node:os";
import type { Config } from "../config/config.ts";
import { readTargetLabels } from "../config/target-labels.ts";
import { OrchError } from "../domain/errors.ts";
import { ownLabels } from "../domain/labels.ts";
import { counted } from "../domain/outcome.ts";
import { broken, type Diagnosis, works } from "./diagnosis.ts";

export async function examineLabels({ labels, target_labels_file, flow_engine }: Config): Promise<Diagnosis> {
  const own = ownLabels(labels, { host: hostname(), confines: false, has_engine: flow_engine !== null });
  const has = own.length === 0 ? "has no label" : `has ${own.join(", ")}`;
  try {
    const rules = await readTargetLabels(target_labels_file);
    return works(`this server ${has}${rules.length === 0 ? "" : `; ${counted(rules.length, "rule")} for targets`}`);
  } catch (error) {
    if (error instanceof OrchError) return broken(error.message, error.fix);
    throw error;
  }
}
