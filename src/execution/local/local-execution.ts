// Creates what runs on this machine: the steps of tasks, the calls of agents, and what only looks, all by one process for commands.
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { AgentExecution } from "../../features/agents/agent-services.ts";
import type { Clock, ExecutionBackend, ToolServers } from "../../ports.ts";
import type { CheckLooks } from "../../proof/examiner.ts";
import type { Redaction } from "../../redact/find-secrets.ts";
import { createAgentPlaces, createTurns } from "./agent-turns.ts";
import { agentConfinement, hiddenFromTrials } from "./confinement/agent-confinement.ts";
import { createRunsLater } from "./confinement/runs-later.ts";
import { readOnly } from "./containment/containment.ts";
import { createCheckLooks } from "./control-and-decoy.ts";
import { createDisk, createDiskForAgents, createKeptTexts, textAtOf } from "./disk.ts";
import { baseEnvironment, type UserAccount } from "./environment.ts";
import { createLocalBackend, createLook } from "./local-backend.ts";
import { type AgentNetworks, withinNetworks } from "./network/agent-networks.ts";
import { prepareConfined, preparePlain } from "./prepare-command.ts";
import { createReconcile } from "./reconcile.ts";
import { readByBash } from "./run-command.ts";
import type { CommandRunner } from "./runner/command-runner.ts";

type Parts = {
  readonly account: UserAccount;
  readonly clock: Clock;
  readonly redaction: Redaction;
  readonly commands: Pick<CommandRunner, "runCommand">;
  /** What the commands of tasks do not see. */
  readonly hidden: readonly string[];
  readonly networks: AgentNetworks;
  readonly toolServers: ToolServers;
};

/** What runs on this machine alone. */
export type ExecutionHere = {
  /** Runs the calls of agents, whose commands are confined. */
  readonly ofAgents: AgentExecution;
  /** Runs what only looks and is not approved yet: as confined as an agent's command, and no file can be written. */
  readonly unapproved: Pick<ExecutionBackend, "run" | "look">;
  /** Null where looks at checks are switched off. */
  readonly looks: CheckLooks | null;
};

type LocalExecution = ExecutionHere & {
  /** Runs the steps of tasks. */
  readonly backend: ExecutionBackend;
};

export function createLocalExecution(config: Config, parts: Parts): LocalExecution {
  const { account, clock, commands, hidden, networks, toolServers } = parts;
  const { redact, withoutKnown } = parts.redaction;
  const { compose_roots, data_dir, before_look } = config;
  const { runCommand } = commands;
  const local = { ...account, clock, redact, compose_roots, runCommand };
  const confinement = agentConfinement(config);
  const places = createAgentPlaces(join(data_dir, "agent-places"));
  const inNetwork = withinNetworks(networks);
  const turns = createTurns(confinement.writable);
  const options = { ...local, toolServers, prepare: preparePlain(places), inTurn: turns.ofSteps };
  const unapproved = { ...options, prepare: preparePlain(places, readOnly(confinement)) };
  const disk = createDisk(hidden, withoutKnown);
  return {
    backend: {
      ...createLocalBackend(options),
      syntaxFault: readByBash,
      disk,
      keptTexts: createKeptTexts(join(data_dir, "scripts")),
      reconcile: createReconcile(options),
      ...(before_look === "on" && { look: createLook(options) }),
    },
    ofAgents: {
      ...createLocalBackend({
        ...local,
        // A call that got no answer is never repeated, also where its server allows it.
        toolServers: { ...toolServers, mayRepeat: async () => false },
        prepare: prepareConfined(confinement, { places, compose_roots }),
        inNetwork,
        inTurn: turns.ofAgents,
      }),
      diskOf: createDiskForAgents({ ...confinement, home: account.home, places, judgedAs: withoutKnown }),
      runsLater: createRunsLater({ home: account.home, path: baseEnvironment(account)["PATH"] ?? "" }),
    },
    unapproved: {
      run: createLocalBackend(unapproved).run,
      ...(before_look === "on" && { look: createLook(unapproved) }),
    },
    looks:
      config.check_looks === "off"
        ? null
        : createCheckLooks({
            account,
            runCommand,
            hidden: hiddenFromTrials(config),
            textAt: textAtOf(disk),
            confinement,
            inNetwork,
          }),
  };
}
