// The protocol's SDK, version 2: with the handshake of the older revisions, or at 2026-07-28.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { follow, type Script, type Server } from "./script.ts";

export const sdkV2 =
  (mode: "legacy" | { readonly pin: "2026-07-28" }) =>
  async ({ url, headers }: Server, script: Script) => {
    const client = new Client({ name: "a supervisor", version: "0.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    // From here on the client validates what tools answer.
    await client.listTools();
    await follow(script, ({ name, args }) => client.callTool({ name, arguments: args }));
    await client.close();
  };
