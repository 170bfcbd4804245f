// The checks that a running server makes of itself, and `orch doctor` from outside: by what they are about.
import { access, constants, stat, statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { readTargetLabels } from "../config/target-labels.ts";
import { readTokenFile, tokenPath } from "../config/token-file.ts";
import { ownLabels } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { counted } from "../domain/printable.ts";
import { examineArchive } from "../features/keeping/doctor.ts";
import type { Models } from "../ollama/served-model.ts";
import { patienceFor } from "./ask-routing.ts";
import { broken, type Diagnosis, type DoctorLook, fallsBack, NOTHING, off, works } from "./examination.ts";
import {
  examineAgentShell,
  examineBash,
  examineCheckLooks,
  examineGuard,
  examineMachine,
  examineSandbox,
} from "./execution.ts";
import { examineAgentModel, examineRoutingModel, type RoutingLook } from "./models.ts";

export const ofFiles = (config: Config): DoctorLook[] => [
  { name: "data directory", needs: NOTHING, look: () => examineDataDir(config) },
  { name: "disk", needs: NOTHING, look: () => examineDisk(config) },
  { name: "token", needs: /^ORCH_TOKEN$/, look: () => examineToken(config) },
  ...archiveIn(config),
  { name: "approver token", needs: /^ORCH_APPROVER_TOKEN$/, look: () => examineApprover(config) },
];

const archiveIn = ({ archive_dir }: Config): DoctorLook[] =>
  archive_dir === null
    ? []
    : [{ name: "archive", needs: /^ORCH_ARCHIVE_DIR$/, look: () => examineArchive(archive_dir) }];

export const ofModels = (config: Config, models: Models, look: RoutingLook): DoctorLook[] => [
  {
    name: "routing model",
    needs: /^(ROUTING_|AGENT_(MODEL|URL|CONTEXT_TOKENS)$)/,
    look: () => examineRoutingModel(config, models, look),
    limit_ms: LOOK_MS + (look.ask === null ? 0 : 2 * patienceFor(config.routing_timeout_ms)),
  },
  {
    name: "agent model",
    needs: /^(AGENT|ROUTING)_(MODEL|URL|CONTEXT_TOKENS)$/,
    look: () => examineAgentModel(models),
    limit_ms: LOOK_MS,
  },
];

/** The list of models and the description of one, a few seconds each. */
const LOOK_MS = 8_000;

export const ofCommands = (config: Config, docker_host: string | undefined): DoctorLook[] => [
  { name: "guard", needs: NOTHING, look: examineGuard },
  { name: "bash", needs: NOTHING, look: examineBash },
  {
    name: "sandbox",
    needs: /^(ORCH_(SANDBOX|STEP_|APPROVER_TOKEN|ACCEPT_)|DATABASE_URL)/,
    look: () => examineSandbox(config),
  },
  { name: "agent shell", needs: NOTHING, look: () => examineAgentShell(config) },
  {
    name: "looks at checks",
    needs: /^(CHECK_LOOKS|BEFORE_LOOK|ORCH_SANDBOX|ORCH_STEP_.*)$/,
    look: () => examineCheckLooks(config),
  },
  { name: "surroundings", needs: NOTHING, look: () => examineMachine(docker_host) },
];

// Checks the data directory: whether the server can write to it, whether other accounts can, and its free space. Also
// checks the tokens. Creates nothing.

const LOW_BYTES = 200_000_000;

async function examineDataDir({ data_dir }: Config): Promise<Diagnosis> {
  const path = await nearestExisting(data_dir);
  const fix = "Give orch the directory with chown, or another one with ORCH_DATA_DIR.";
  const status = await stat(path);
  if (!status.isDirectory()) return broken(`${path} is not a directory`, "Set ORCH_DATA_DIR to another directory.");
  const isWritable = await access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return broken(`this account cannot write to ${path}`, fix);
  if (path !== data_dir) return off(`${data_dir} is not there yet`, "The first start creates it: orch serve");
  const mode = (status.mode & 0o777).toString(8);
  if ((status.mode & 0o022) !== 0) return broken(`others may write to ${data_dir} (${mode})`, `chmod 700 ${data_dir}`);
  if ((status.mode & 0o055) !== 0)
    return fallsBack(`others may look into ${data_dir} (${mode})`, `chmod 700 ${data_dir}`);
  return works(`${data_dir} (${mode})`);
}

async function examineDisk({ data_dir }: Config): Promise<Diagnosis> {
  const path = await nearestExisting(data_dir);
  const { bavail, bsize } = await statfs(path);
  const found = `${Math.floor((bavail * bsize) / 1_000_000)} MB are free at ${path}`;
  return bavail * bsize < LOW_BYTES
    ? fallsBack(found, "Free space: orch accepts no task on a full disk.")
    : works(found);
}

/** The directory itself, or its nearest existing parent. */
async function nearestExisting(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
  return isThere || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function examineToken({ token, data_dir }: Config): Promise<Diagnosis> {
  if (token !== null) return works("from ORCH_TOKEN");
  const path = tokenPath(data_dir);
  try {
    if ((await readTokenFile(data_dir)) !== null) return works(`in ${path}, for its owner only`);
    return off(`there is none in ${path} yet`, "The first start creates it: orch serve");
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return broken(error.message, error.fix);
  }
}

const examineApprover = async ({ approver_token }: Config): Promise<Diagnosis> =>
  approver_token === null
    ? fallsBack(
        "not set: a caller that submits tasks can also approve them",
        "Set ORCH_APPROVER_TOKEN and give it to the approver only: openssl rand -base64 32",
      )
    : works("from ORCH_APPROVER_TOKEN; the token of the supervisor cannot approve");

/** Which labels this server has, and whether the file with the labels of targets can be read. */
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
