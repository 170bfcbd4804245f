// Bearer tokens (spec section 5: authentication between supervisor and orchestrator is "not shown"). The value is in the
// environment or in a file that only its owner reads; the server keeps digests.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { link, mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OrchError } from "../domain/errors.ts";
import type { Scope } from "../operations/operation.ts";

export type Token = {
  /** Names the token in the journal and in logs. */
  readonly token_id: string;
  readonly digest: Buffer;
  readonly scopes: ReadonlySet<Scope>;
};

export type TokenSource = {
  readonly token: string | null;
  readonly approver_token: string | null;
  readonly data_dir: string;
};

/** `path` is where the main token was read or created, null when the environment gave it; `secrets` are for redaction. */
export type Tokens = {
  readonly tokens: readonly Token[];
  readonly path: string | null;
  readonly secrets: readonly string[];
};

export const tokenPath = (data_dir: string): string => join(data_dir, "token");

/** Rejects with `config_invalid` when the token file may be read by others or holds no token. */
export async function readTokens({ token, approver_token, data_dir }: TokenSource): Promise<Tokens> {
  const path = token === null ? tokenPath(data_dir) : null;
  const main = token ?? (await readOrCreate(data_dir));
  if (approver_token === null) {
    return { tokens: [tokenOf("supervisor", main, ["read", "submit", "teach", "approve"])], path, secrets: [main] };
  }
  const tokens = [
    tokenOf("supervisor", main, ["read", "submit", "teach"]),
    tokenOf("approver", approver_token, ["read", "approve"]),
  ];
  return { tokens, path, secrets: [main, approver_token] };
}

/** Looks at every token, whatever it finds, so that the time taken says nothing. */
export function findToken(tokens: readonly Token[], presented: string): Token | null {
  const digest = digestOf(presented);
  return tokens.filter((token) => timingSafeEqual(token.digest, digest))[0] ?? null;
}

const digestOf = (value: string): Buffer => createHash("sha256").update(value, "utf8").digest();

const tokenOf = (token_id: string, value: string, scopes: readonly Scope[]): Token => ({
  token_id,
  digest: digestOf(value),
  scopes: new Set(scopes),
});

async function readOrCreate(data_dir: string): Promise<string> {
  await mkdir(data_dir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) =>
    refuse(`The directory ${data_dir} cannot be created (${error.code}). Set ORCH_DATA_DIR to one that can.`, error),
  );
  const { mode } = await stat(data_dir);
  if ((mode & 0o022) !== 0) refuse(`Others may write to ${data_dir}. Run: chmod 700 ${data_dir}`);
  const path = tokenPath(data_dir);
  return (await readToken(path)) ?? (await createToken(path));
}

/** Null when there is no file. The mode is that of the file which is read, not of a name looked up before. */
async function readToken(path: string): Promise<string | null> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    return refuse(`The token file ${path} cannot be opened (${error.code}).`, error);
  });
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) refuse(`${path} should be the token file, and is not a file.`);
    if ((found.mode & 0o077) !== 0) refuse(`Others may read the token file ${path}. Run: chmod 600 ${path}`);
    const value = (await file.readFile("utf8")).trim();
    if (/^[\w.~+/=-]{32,512}$/.test(value)) return value;
    return refuse(`The token file ${path} holds no token. Delete it, and the next start creates another.`);
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
    refuse(`The token file ${path} cannot be created.`, error);
  } finally {
    await rm(aside, { force: true });
  }
  return (await readToken(path)) ?? refuse(`The token file ${path} vanished while it was created.`);
}

function refuse(message: string, cause?: unknown): never {
  throw new OrchError("config_invalid", message, { cause });
}
