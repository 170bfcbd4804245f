// Bearer tokens. The value is in the environment or in a file that only its owner can read; the server keeps digests.
import { createHash, timingSafeEqual } from "node:crypto";
import { readOrCreateTokenFile, tokenPath } from "../config/token-file.ts";
import type { Scope } from "../operations/shape.ts";

export type Token = {
  /** Identifies the token in the journal and in logs. */
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

/** Rejects with `config_invalid` when the token file may be read by others or holds no token. */
export async function readTokens({ token, approver_token, data_dir }: TokenSource): Promise<Tokens> {
  const path = token === null ? tokenPath(data_dir) : null;
  const main = token ?? (await readOrCreateTokenFile(data_dir));
  if (approver_token === null) {
    return { tokens: [tokenOf("supervisor", main, ["read", "submit", "teach", "approve"])], path, secrets: [main] };
  }
  const tokens = [
    tokenOf("supervisor", main, ["read", "submit", "teach"]),
    tokenOf("approver", approver_token, ["read", "approve"]),
  ];
  return { tokens, path, secrets: [main, approver_token] };
}

/** Compares with every token, so that the time taken reveals nothing. */
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
