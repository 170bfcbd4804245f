// Where a tool server is and what to show it (spec section 5: how the token is attached is "not shown").
import type { Fetch } from "./bounded-fetch.ts";

export type Endpoint = {
  readonly url: string;
  readonly token: string | null;
  readonly fetch: Fetch;
  /** What we say we are. */
  readonly client: { readonly name: string; readonly version: string };
};

export const authorization = ({ token }: Endpoint): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };
