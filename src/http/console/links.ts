// One-time links: who has a token has the console opened by one, without the token in an address or on the clipboard.
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../ports.ts";
import type { Identity } from "../context.ts";

export const LINK_MS = 60_000;
/** Of one token. Above this many, the oldest of that token is void. */
const MAX_LINKS = 100;

type Login = Pick<Identity, "token_id" | "scopes"> & { readonly name: string | null };

export type Links = ReturnType<typeof createLinks>;

export function createLinks(clock: Clock) {
  /** By the digest of their secret, oldest first. */
  const links = new Map<string, Login & { readonly expires_at: number }>();
  return {
    make: (login: Login): { readonly link: string; readonly expires_at: string } => {
      const own = [...links].filter(([, { token_id }]) => token_id === login.token_id);
      const [oldest] = own.length >= MAX_LINKS ? own : [];
      if (oldest !== undefined) links.delete(oldest[0]);
      const link = randomBytes(16).toString("base64url");
      const expires_at = clock().getTime() + LINK_MS;
      links.set(digestOf(link), { ...login, expires_at });
      return { link, expires_at: new Date(expires_at).toISOString() };
    },
    /** Null for one that was used, is too old, or never was. */
    use: (link: string): Login | null => {
      const key = digestOf(link);
      const found = links.get(key);
      links.delete(key);
      return found === undefined || found.expires_at <= clock().getTime() ? null : found;
    },
  };
}

const digestOf = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
