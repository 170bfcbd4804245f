// A tool server as the flow is told of it, and what is known of it so far (spec section 2, context.mcp_servers).
import type { Texts } from "./json-values.ts";

export type ServerConfig = { readonly url: string; readonly token: string | null };

/** How a server is talked to: in a session, or with requests that stand alone, bare or as revision 2026-07-28 has them. */
export type Dialect = { readonly kind: "session" | "bare" | "modern"; readonly headers: Record<string, string> };
export type Server = {
  readonly url: string;
  readonly authorization: Texts;
  /** What it was found to understand; null before the first request and after a failure. */
  dialect: Dialect | null;
  /** Whether something that does not speak the protocol stands before the server: then a call does not get to it. */
  isShut: boolean;
  /** An id is used once in a session. */
  next_id: number;
};

/** The token is shown as a bearer token; without one, a name and password in the URL as HTTP has it. */
export function serverOf({ url, token }: ServerConfig): Server {
  const address = new URL(url);
  const account = [address.username, address.password].map(decoded).join(":");
  address.username = "";
  address.password = "";
  const basic = account === ":" ? null : `Basic ${Buffer.from(account).toString("base64")}`;
  const shown = token === null ? basic : `Bearer ${token}`;
  return {
    url: address.href,
    authorization: shown === null ? {} : { authorization: shown },
    dialect: null,
    isShut: false,
    next_id: 1,
  };
}

export function secretsOf(servers: ReadonlyMap<string, ServerConfig>): string[] {
  return [...servers.values()].flatMap(({ url, token }) => {
    const { username, password } = new URL(url);
    const hidden = password || username;
    return [token ?? "", hidden, decoded(hidden)].filter((secret) => secret !== "");
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray % is part of it as it stands.
  }
}
