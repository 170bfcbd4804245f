// The file with the bearer token: created by the server at its first start, and read by the command line. Only its owner
// may read it or write to its directory.
import { randomBytes } from "node:crypto";
import { link, mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OrchError } from "../domain/errors.ts";
import { Token } from "./values.ts";

const OWN_FILE = "Give orch a token file of its own, or set ORCH_TOKEN.";

export const tokenPath = (data_dir: string): string => join(data_dir, "token");

/** Null when there is no file. Rejects with `config_invalid` when others may read or replace it, or it holds no token. */
export async function readTokenFile(data_dir: string): Promise<string | null> {
  const directory = await stat(data_dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    return refuse(`The directory ${data_dir} cannot be looked into (${error.code}).`, { cause: error });
  });
  if (directory === null) return null;
  if ((directory.mode & 0o022) !== 0) refuse(`Others may write to ${data_dir}.`, { fix: `Run: chmod 700 ${data_dir}` });
  return readToken(tokenPath(data_dir));
}

/** Rejects with `config_invalid` when the file may not be used, or cannot be created. */
export async function readOrCreateTokenFile(data_dir: string): Promise<string> {
  await mkdir(data_dir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) =>
    refuse(`The directory ${data_dir} cannot be created (${error.code}).`, {
      fix: "Set ORCH_DATA_DIR to one that can.",
      cause: error,
    }),
  );
  return (await readTokenFile(data_dir)) ?? (await createToken(tokenPath(data_dir)));
}

/** The mode is that of the file which is read, not of a name looked up before. */
async function readToken(path: string): Promise<string | null> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    return refuse(`The token file ${path} cannot be opened (${error.code}).`, { cause: error });
  });
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) refuse(`${path} should be the token file, and is not a file.`);
    if ((found.mode & 0o077) !== 0)
      refuse(`Others may read the token file ${path}.`, { fix: `Run: chmod 600 ${path}` });
    const value = (await file.readFile("utf8")).trim();
    if (Token.safeParse(value).success) return value;
    return refuse(`The token file ${path} holds no token.`, { fix: "Delete it, and the next start creates another." });
  } finally {
    await file.close();
  }
}

// Written aside and then linked: the name appears once, with its content, also when two processes start together.
async function createToken(path: string): Promise<string> {
  const aside = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(aside, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600, flush: true });
    await link(aside, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } catch (error) {
    refuse(`The token file ${path} cannot be created.`, { cause: error });
  } finally {
    await rm(aside, { force: true });
  }
  return (await readToken(path)) ?? refuse(`The token file ${path} vanished while it was created.`);
}

function refuse(message: string, { fix = OWN_FILE, cause }: { fix?: string; cause?: unknown } = {}): never {
  throw new OrchError("config_invalid", message, { fix, cause });
}
