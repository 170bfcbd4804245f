// Where a tool server is, and the credentials that it is shown.
import type { JsonTexts } from "../domain/json-values.ts";
import { percentDecode } from "../domain/percent-decode.ts";

export type ToolServerConfig = { readonly url: string; readonly token: string | null };

export type ToolServerEndpoint = {
  readonly url: string;
  readonly authorization: JsonTexts;
  /** The name and version of orch, for the server. */
  readonly client: { readonly name: string; readonly version: string };
};

/** The token is sent as a bearer token. Without one, a name and a password in the URL are sent as basic authentication. */
export function endpointOf({ url, token }: ToolServerConfig, client: ToolServerEndpoint["client"]): ToolServerEndpoint {
  const address = new URL(url);
  const account = [address.username, address.password].map(percentDecode).join(":");
  address.username = "";
  address.password = "";
  const basic = account === ":" ? null : `Basic ${Buffer.from(account).toString("base64")}`;
  const shown = token === null ? basic : `Bearer ${token}`;
  return { url: address.href, authorization: shown === null ? {} : { authorization: shown }, client };
}
