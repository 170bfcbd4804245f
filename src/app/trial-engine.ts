// Opens orch without its endpoints, on a database of its own in a directory: operations are called directly. `orch skill test` runs on it.
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type AnyOperation, callOperation } from "../api/operations/operation.ts";
import { type Config, readConfig } from "../config/config.ts";
import { ownLabels } from "../domain/contract.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import type { OpenTrialEngine, TrialEngine } from "../features/skills/trial/trial.ts";
import { createJudges } from "../judge/thread-judge.ts";
import { createLog } from "../log/log.ts";
import { redactionOf } from "../redact/find-secrets.ts";
import { openDatabase } from "../store/database.ts";
import { sqlitePath } from "../store/database-target.ts";
import { compose } from "./compose.ts";
import type { Place } from "./own-place.ts";

const CALLER = { token_id: "skill-test", signal: new AbortController().signal };
const QUIET = { BEFORE_LOOK: "off", CHECK_LOOKS: "off", ORCH_DRAIN_SECONDS: "0", ORCH_SANDBOX: "off" };
const NO_SANDBOX = "a skill is tried without procedures";

type Parts = {
  readonly skills: Skills;
  /** A file to begin with, in the place of a database that is to be migrated. */
  readonly migrated: string;
};

export const openEngineWith =
  ({ skills, migrated }: Parts): OpenTrialEngine =>
  async ({ directory, env }) => {
    const config = readConfig({ ORCH_DATA_DIR: directory, HOME: directory, ...QUIET, ...env });
    const file = sqlitePath(config.database_url);
    if (!existsSync(file)) await copyFile(migrated, file);
    const database = await openDatabase({ url: config.database_url, exclusive: true });
    const judges = createJudges({ protected_paths: [] });
    const redaction = redactionOf([]);
    const orch = compose(config, database, {
      redaction,
      log: createLog({ level: "silent", redact: redaction.redact }),
      skills,
      judges,
      machine: { ability: { sandboxed: false, reason: NO_SANDBOX, visible: NO_SANDBOX } },
      place: placeIn(config),
    });
    await orch.engine.dispatcher.recover();
    await orch.engine.expiry.arm();
    for (const { arm } of orch.features) await arm?.();
    return {
      call: callIn(orch.operations.all),
      stop: async () => {
        await orch.stop();
        await judges.close();
        await database.close();
      },
    };
  };

/** As that of a server without a name whose agents get no shell. */
function placeIn({ labels, flow_engine }: Config): Place {
  const host = hostname();
  const has = { host, confines: false, has_engine: flow_engine !== null };
  return { name: host, labels: ownLabels(labels, has), target_labels: [], shellFault: async () => NO_SANDBOX };
}

function callIn(table: readonly AnyOperation[]): TrialEngine["call"] {
  const operations = new Map(table.map((operation) => [operation.name, operation]));
  return async (name, input) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return operation.output.parse(await callOperation(operation, input, CALLER));
  };
}

/** A database as a server leaves it that has done nothing. */
export async function migratedIn(directory: string): Promise<string> {
  const file = join(directory, "migrated.sqlite3");
  await (await openDatabase({ url: `file:${file}` })).close();
  return file;
}
