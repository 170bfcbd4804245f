// Where a tool server is, and the credentials that it is shown.
import type { JsonTexts } from "../domain/json-values.ts";
import { percentDecode } from "../domain/percent-decode.ts";
import type { HttpRequest } from "../http-client/request.ts";

export type ToolServerConfig = {
  readonly url: string;
  readonly token: string | null;
  /** Asked before the credentials are sent over plain http. */
  readonly verify?: HttpRequest["verify"];
};

export type ToolServerEndpoint = {
  readonly url: string;
  readonly authorization: JsonTexts;
  readonly verify: HttpRequest["verify"];
  /** Of its variables: MCP_{NAME}_URL. */
  readonly name: string;
  /** The name and version of orch, for the server. */
  readonly client: { readonly name: string; readonly version: string };
};

/** The token is sent as a bearer token. Without one, a name and a password in the URL are sent as basic authentication. */
export function endpointOf(
  name: string,
  { url, token, verify }: ToolServerConfig,
  client: ToolServerEndpoint["client"],
): ToolServerEndpoint {
  const address = new URL(url);
  const account = [address.username, address.password].map(percentDecode).join(":");
  address.username = "";
  address.password = "";
  const basic = account === ":" ? null : `Basic ${Buffer.from(account).toString("base64")}`;
  const shown = token === null ? basic : `Bearer ${token}`;
  if (shown === null) return { url: address.href, authorization: {}, verify: undefined, name, client };
  return { url: address.href, authorization: { authorization: shown }, verify, name, client };
}

export const variableOf = ({ name }: Pick<ToolServerEndpoint, "name">, of: "URL" | "TOKEN"): string =>
  `MCP_${name.toUpperCase()}_${of}`;
