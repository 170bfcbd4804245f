// Checks the data directory: whether the server can write to it, whether other accounts can, and its free space. Also
// checks the tokens. Creates nothing.
import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { readTokenFile, tokenPath } from "../config/token-file.ts";
import { OrchError } from "../domain/errors.ts";
import { broken, type Diagnosis, fallsBack, off, works } from "./diagnosis.ts";

const LOW_BYTES = 200_000_000;

export async function examineDataDir({ data_dir }: Config): Promise<Diagnosis> {
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

export async function examineDisk({ data_dir }: Config): Promise<Diagnosis> {
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

export async function examineToken({ token, data_dir }: Config): Promise<Diagnosis> {
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

export const examineApprover = async ({ approver_token }: Config): Promise<Diagnosis> =>
  approver_token === null
    ? fallsBack(
        "not set: a caller that submits tasks can also approve them",
        "Set ORCH_APPROVER_TOKEN and give it to the approver only: openssl rand -base64 32",
      )
    : works("from ORCH_APPROVER_TOKEN; the token of the supervisor cannot approve");
