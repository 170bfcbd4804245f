// The network of agents' commands: what the site opens, and what of orch's own no contract and no setting opens (D-255).
import type { Config } from "../config/config.ts";
import { type AgentNetworks, createAgentNetworks } from "../execution/local/network/agent-networks.ts";
import type { KeptServer } from "../execution/local/network/judge-connection.ts";
import type { Log } from "../log/log.ts";

/** Where orch listens is known later where the configuration says any port. */
export const composeAgentNetworks = (config: Config, listensOn: () => number, log: Pick<Log, "warn">): AgentNetworks =>
  createAgentNetworks({
    site: config.agent.network,
    kept: () => keptServers(config, listensOn()),
    onRefused: ({ sentence, ...refused }) => log.warn(refused, sentence),
  });

export function keptServers(config: Config, port: number): KeptServer[] {
  const { host, routing_url, agent, flow_engine, tool_servers, database_url } = config;
  const database = /^postgres/.test(database_url) ? [serverAt("the database of orch", database_url)] : [];
  return [
    { what: "orch itself", host, port },
    serverAt("the server of the routing model (ROUTING_URL)", routing_url),
    serverAt("the server of the agent's model (AGENT_URL)", agent.url),
    ...(flow_engine === null ? [] : [serverAt("the flow engine (FLOWENGINE_URL)", flow_engine.url)]),
    ...[...tool_servers].map(([name, { url }]) => serverAt(`the tool server ${name}, used by its tools only`, url)),
    ...database.filter((server) => server.host !== ""),
  ];
}

const PORTS: Readonly<Record<string, number>> = { "https:": 443, "postgres:": 5432, "postgresql:": 5432 };

function serverAt(what: string, url: string): KeptServer {
  const { protocol, hostname, port } = new URL(url);
  return { what, host: hostname, port: port === "" ? (PORTS[protocol] ?? 80) : Number(port) };
}
