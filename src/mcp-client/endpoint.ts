// Where a tool server is and what it is shown (spec section 5: how the token is attached to the request is "not shown").
import type { Fetch } from "./bounded-fetch.ts";

export type ServerConfig = { readonly url: string; readonly token: string | null };

export type Endpoint = {
  readonly url: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  /** Who we say we are. */
  readonly client: { readonly name: string; readonly version: string };
};

/** The token is shown as a bearer token. Without one a name and password in the URL are shown as HTTP has it. */
export function endpointOf({ url, token }: ServerConfig, around: Pick<Endpoint, "fetch" | "client">): Endpoint {
  const address = new URL(url);
  const account = [address.username, address.password].map(decoded).join(":");
  // No client of HTTP takes them in the URL of a request.
  address.username = "";
  address.password = "";
  const shown =
    token !== null ? `Bearer ${token}` : account !== ":" ? `Basic ${Buffer.from(account).toString("base64")}` : null;
  return { url: address.href, authorization: shown === null ? {} : { authorization: shown }, ...around };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray % is part of the name or password as it stands.
  }
}
