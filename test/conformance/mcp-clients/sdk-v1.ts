// The protocol's SDK, version 1: over Streamable HTTP, and over stdio with orch's own bridge and with `mcp-remote`.
import { createRequire } from "node:module";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { BRIDGE, bridgeEnvironment } from "../../support/mcp-bridge.ts";
import { connectMcp } from "../../support/mcp-client.ts";
import { follow, type Script, type Server } from "./script.ts";

export const sdkV1 = ({ url, headers }: Server, script: Script) =>
  drive(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), script);

export const orchMcp = ({ url, token }: Server, script: Script) =>
  drive(started([BRIDGE], bridgeEnvironment(new URL(url).origin, token)), script);

const MCP_REMOTE = createRequire(import.meta.url).resolve("mcp-remote/dist/proxy.js");

/** For hosts that know only stdio. */
export const mcpRemote = ({ url, headers, directory }: Server, script: Script) => {
  const given = Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
  const env = { PATH: process.env["PATH"] ?? "", MCP_REMOTE_CONFIG_DIR: directory };
  return drive(started([MCP_REMOTE, url, ...given, "--transport", "http-only", "--silent"], env), script);
};

const started = (args: string[], env: Record<string, string>) =>
  new StdioClientTransport({ command: process.execPath, args, env, stderr: "pipe" });

async function drive(transport: Parameters<typeof connectMcp>[0], script: Script): Promise<void> {
  await using supervisor = await connectMcp(transport);
  await follow(script, ({ name, args }) => supervisor.ask(name, args));
}
