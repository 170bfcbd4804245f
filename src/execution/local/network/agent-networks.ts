// Keeps the network of each agent's run, which is made for its first command. With the end of its task, or when it was not used for an
// hour, one is given up.
import type { TaskContract } from "../../../domain/contract.ts";
import { hostNamed, THIS_MACHINE, type WayOut, waysOutOf } from "../../../domain/network-scope.ts";
import { type AgentNetwork, openAgentNetwork } from "./agent-network.ts";
import { createConnectOut, type RefusedConnection } from "./connect-out.ts";
import { createConnectionJudge, type KeptServer } from "./judge-connection.ts";
import { createProxy } from "./proxy.ts";

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
