// Creates the tool servers of a configuration.
import metadata from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import type { ToolServers } from "../ports.ts";
import { createToolServers } from "./tool-servers.ts";
import { verifiedServers } from "./verified-servers.ts";

export const configuredServers = ({ tool_servers }: Pick<Config, "tool_servers">): ToolServers =>
  createToolServers({ servers: verifiedServers(tool_servers), version: metadata.version });
