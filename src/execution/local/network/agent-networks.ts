// Keeps the network of each agent's run, made for its first command, and runs the commands in it. With the end of its task, or
// when it was not used for an hour, one is given up.
import type { Config } from "../../../config/config.ts";
import type { TaskContract } from "../../../domain/contract.ts";
import { hostNamed, THIS_MACHINE, type WayOut, waysOutOf } from "../../../domain/network-scope.ts";
import type { Log } from "../../../log/log.ts";
import type { StreamOutput } from "../output-ring.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import { type AgentNetwork, openAgentNetwork } from "./agent-network.ts";
import { createConnectionJudge, type KeptServer } from "./judge-connection.ts";
import { createConnectOut, createProxy, type RefusedConnection } from "./proxy.ts";

const IDLE_MS = 3_600_000;
const SWEEP_MS = 60_000;
/** More of them do not help the reader, of the output or of the log. */
const MAX_SHOWN = 5;
const MAX_LOGGED = 100;

/** The network for one command. `refused` are the sentences of what it tried in vain. */
export type EnteredNetwork = Pick<AgentNetwork, "entry" | "env"> & {
  readonly refused: () => readonly string[];
  readonly leave: () => void;
};

export type AgentNetworks = {
  readonly enter: (contract: TaskContract) => Promise<EnteredNetwork | { readonly fault: string }>;
  /** Gives the network of an ended task up. False when none of its commands has had one. */
  readonly leave: (task_id: string) => boolean;
  readonly close: () => void;
};

type Deps = {
  /** What the site opens to every agent. */
  readonly site: readonly WayOut[];
  /** The address of orch is known once it listens. */
  readonly kept: () => readonly KeptServer[];
  readonly onRefused: (refused: RefusedConnection & { readonly task_id: string }) => void;
};

type Kept = {
  readonly network: Promise<AgentNetwork | { readonly fault: string }>;
  /** The sentences of refused connections, for each command that runs. */
  readonly commands: Set<Set<string>>;
  used_at: number;
};

export function createAgentNetworks({ site, kept, onRefused }: Deps): AgentNetworks {
  const all = new Map<string, Kept>();
  const giveUp = (task_id: string, { network }: Kept) => {
    all.delete(task_id);
    void network.then((opened) => "fault" in opened || opened.close());
  };
  const sweep = setInterval(() => {
    for (const [task_id, one] of all)
      if (one.commands.size === 0 && performance.now() - one.used_at > IDLE_MS) giveUp(task_id, one);
  }, SWEEP_MS).unref();

  const open = (contract: TaskContract): Kept => {
    const rules = { ways: [...waysOutOf(contract), ...site], kept: kept() };
    const commands = new Set<Set<string>>();
    const logged = new Set<string>();
    const connectOut = createConnectOut(createConnectionJudge(rules), (refused) => {
      const { sentence } = refused;
      if (!logged.has(sentence) && logged.size < MAX_LOGGED) onRefused({ task_id: contract.task_id, ...refused });
      logged.add(sentence);
      for (const shown of commands) if (shown.size < MAX_SHOWN) shown.add(sentence);
    });
    const ports = [...rules.ways, ...rules.kept].flatMap(({ host, port }) =>
      port !== null && hostNamed(host) === THIS_MACHINE ? [port] : [],
    );
    return { network: openAgentNetwork(createProxy(connectOut), ports), commands, used_at: 0 };
  };

  return {
    enter: async (contract) => {
      const { task_id } = contract;
      const one = all.get(task_id) ?? open(contract);
      all.set(task_id, one);
      const shown = new Set<string>();
      one.commands.add(shown);
      const network = await one.network;
      const leave = () => {
        one.commands.delete(shown);
        one.used_at = performance.now();
      };
      if ("fault" in network) {
        leave();
        // The next command tries again.
        if (all.get(task_id) === one) all.delete(task_id);
        return network;
      }
      const { entry, env } = network;
      return { entry, env, refused: () => [...shown], leave };
    },
    leave: (task_id) => {
      const one = all.get(task_id);
      if (one?.commands.size === 0) giveUp(task_id, one);
      return one !== undefined;
    },
    close: () => {
      clearInterval(sweep);
      for (const [task_id, one] of all) giveUp(task_id, one);
    },
  };
}

/** The same for the commands of an agent that works on the contract. */
export type InNetwork = (runCommand: RunCommand, contract: TaskContract) => RunCommand;

/**
 * Runs the commands of an agent in the network of its run. What a command tried to reach in vain is added to its errors, because
 * a program that opens a tunnel shows no more than a number.
 */
export const withinNetworks =
  (networks: Pick<AgentNetworks, "enter">): InNetwork =>
  (runCommand, contract) =>
  async (command, abort) => {
    if (command.sandbox === undefined) throw new TypeError("only a confined command has a network of its own");
    const network = await networks.enter(contract);
    if ("fault" in network) return { ran: false, reason: `the command could not be started: ${network.fault}` };
    try {
      const { entry, env } = network;
      const sandbox = { ...command.sandbox, network: entry };
      const end = await runCommand({ ...command, env: { ...command.env, ...env }, sandbox }, abort);
      return end.ran ? { ...end, stderr: withSentences(end, network.refused()) } : end;
    } finally {
      network.leave();
    }
  };

function withSentences(
  { stdout, stderr }: Extract<CommandEnd, { ran: true }>,
  sentences: readonly string[],
): StreamOutput {
  const silent = sentences.filter((sentence) => !stdout.text.includes(sentence) && !stderr.text.includes(sentence));
  if (silent.length === 0) return stderr;
  const break_line = stderr.text === "" || stderr.text.endsWith("\n") ? "" : "\n";
  const added = `${break_line}${silent.map((sentence) => `${sentence}\n`).join("")}`;
  return { ...stderr, text: stderr.text + added, bytes: stderr.bytes + Buffer.byteLength(added) };
}

// The networks of a configuration: what the site opens, and what of orch's own no contract and no setting opens (D-255).

/** `listensOn`: where the configuration says any port, orch learns its port when it listens. */
export const networksOfAgents = (
  config: Config,
  { listensOn, log }: { readonly listensOn: () => number; readonly log: Pick<Log, "warn"> },
): AgentNetworks =>
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
