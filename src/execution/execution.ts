// biome-ignore-all lint/performance/noBarrelFile: the one door of the execution
// Where steps run: on this machine, and on the flow engine if there is one. It is what the rest of orch imports of the execution.
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { TaskContract } from "../domain/contract.ts";
import { endsTask } from "../domain/journal.ts";
import type { LiveOutput } from "../domain/live-output.ts";
import type { AgentExecution } from "../features/agents/agent-services.ts";
import type { Commit, ExecutionBackend, ToolServers } from "../ports.ts";
import type { Means } from "../process/system.ts";
import type { Redaction } from "../redact/find-secrets.ts";
import { configuredFlowEngine } from "./flow-engine/flow-engine-backend.ts";
import { createLiveOutput } from "./live-output.ts";
import { createAgentPlaces, createRunsLater, createTurns } from "./local/agent-places.ts";
import { createCheckProbes, type ProbesOf } from "./local/control/check-looks.ts";
import { createDisk, createDiskForAgents, createKeptTexts, textAtOf } from "./local/disk.ts";
import { baseEnvironment } from "./local/environment.ts";
import { createLocalBackend, createLook, createReconcile } from "./local/local-backend.ts";
import { networksOfAgents, withinNetworks } from "./local/network/agent-networks.ts";
import { prepareConfined, preparePlain } from "./local/prepare-command.ts";
import { readByBash } from "./local/run-command.ts";
import { createCommandRunner } from "./local/runner/command-runner.ts";
import { endLeftovers } from "./local/runner/leftovers.ts";
import { findMachineWarnings } from "./sandbox/machine.ts";
import { readOnly } from "./sandbox/sandbox.ts";
import { type Ability, agentSandbox, hiddenFromTrials, plainStep } from "./sandbox/sandbox-of-config.ts";
import { writableIn } from "./sandbox/space-plan.ts";

export type Execution = {
  /** Null where the contract asks for a backend that is not there. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  /** Runs the calls of agents, whose commands are confined. */
  readonly ofAgents: AgentExecution;
  /** Runs what only looks and is not approved yet: as confined as an agent's command, and no file can be written. */
  readonly unapproved: Pick<ExecutionBackend, "run" | "look">;
  /** Null where looks at checks are switched off. */
  readonly looks: ProbesOf | null;
  /** What steps and agents call; they are closed with the execution. */
  readonly toolServers: ToolServers;
  readonly close: () => Promise<void>;
};

/** Where the commands of a server run. */
export type Machine = {
  readonly ability: Ability;
  /** Where commands find programs; the system's directories when it is not given. */
  readonly path?: string | undefined;
};

type Parts = {
  readonly means: Means;
  readonly redaction: Redaction;
  readonly machine: Machine;
  readonly toolServers: ToolServers;
};

type ServerExecution = Execution & {
  /** Ends what a lost server has left running, before the first task. */
  readonly prepare: () => Promise<void>;
  /** Whether everything was ended that a server before, or a lost process for commands, had left running. */
  readonly isCleared: () => boolean;
  /** Starts the process for commands ahead of the first one; orch listens on `port`. */
  readonly start: (port: number) => void;
  /** This server has its tasks for so long: what its steps run is killed then, unless this is said again. */
  readonly lives: (ms: number) => void;
  /** What steps write while they run on this machine. */
  readonly live: LiveOutput;
  /** Gives up what the commands of a task shared that has ended: their /tmp, their home and their network. */
  readonly committed: (commit: Pick<Commit, "thread_id" | "events">) => void;
};

export function createExecution(config: Config, { machine, means, redaction, toolServers }: Parts): ServerExecution {
  const { clock, new_id, log } = means;
  const { redact, beginningOf, withoutKnown } = redaction;
  const { ability, path } = machine;
  const { compose_roots, data_dir, before_look, agent } = config;
  const account = { home: homedir(), path, user: process.env["USER"], tz: process.env["TZ"] };
  const running_dir = join(data_dir, "running");
  let port = config.port;
  let is_cleared = true;
  const leftBehind = () => {
    is_cleared = false;
  };

  const plain = plainStep(config, ability);
  const confined = agentSandbox(config);
  const memory = agent.spaces_mb === null ? {} : { agent_spaces_bytes: agent.spaces_mb * 2 ** 20 };
  const commands = createCommandRunner(baseEnvironment(account), { plain, running_dir, ...memory }, leftBehind);
  const { runCommand } = commands;
  const networks = networksOfAgents(config, { listensOn: () => port, log });
  const inNetwork = withinNetworks(networks);
  const places = createAgentPlaces(join(data_dir, "agent-places"));
  const turns = createTurns(writableIn(confined));
  const disk = createDisk(plain.hidden, withoutKnown);

  const local = { ...account, clock, redact, compose_roots, runCommand };
  const ofSteps = { ...local, toolServers, prepare: preparePlain(places), inTurn: turns.ofSteps };
  const ofLooks = { ...ofSteps, prepare: preparePlain(places, readOnly(confined)) };
  const ofAgents = {
    ...local,
    // A call that got no answer is never repeated, also where its server allows it.
    toolServers: { ...toolServers, mayRepeat: async () => false },
    prepare: prepareConfined(confined, { places, compose_roots }),
    inNetwork,
    inTurn: turns.ofAgents,
  };
  const here: ExecutionBackend = {
    ...createLocalBackend(ofSteps),
    syntaxFault: readByBash,
    disk,
    keptTexts: createKeptTexts(join(data_dir, "scripts")),
    reconcile: createReconcile(ofSteps),
    ...(before_look === "on" && { look: createLook(ofSteps) }),
  };
  const flowEngine = configuredFlowEngine(config, { clock, new_id, redact, log });
  const backends = new Map([here, ...(flowEngine === null ? [] : [flowEngine])].map((one) => [one.name, one]));

  return {
    backendOf: ({ execution_backend = config.execution_backend }) => backends.get(execution_backend) ?? null,
    ofAgents: {
      ...createLocalBackend(ofAgents),
      diskOf: createDiskForAgents({
        hidden: confined.hidden,
        writable: writableIn(confined),
        account: confined.account,
        home: account.home,
        places,
        judgedAs: withoutKnown,
      }),
      runsLater: createRunsLater({ home: account.home, path: baseEnvironment(account)["PATH"] ?? "" }),
    },
    unapproved: {
      run: createLocalBackend(ofLooks).run,
      ...(before_look === "on" && { look: createLook(ofLooks) }),
    },
    looks:
      config.check_looks === "off"
        ? null
        : createCheckProbes({
            account,
            runCommand,
            hidden: hiddenFromTrials(config),
            textAt: textAtOf(disk),
            plain,
            agent: confined,
            inNetwork,
          }),
    toolServers,
    live: createLiveOutput({ watch: commands.watch, redact, beginningOf }),
    prepare: async () => {
      const ended = await endLeftovers(running_dir);
      if (ended.some((one) => one["ended"] === false)) leftBehind();
      const { secret_paths } = config;
      const [uid, docker_host] = [process.getuid?.(), process.env["DOCKER_HOST"]];
      const warnings = await findMachineWarnings({ uid, docker_host, ability, secret_paths });
      for (const { message, ...details } of [...ended, ...warnings]) log.warn(details, message);
      log.info({}, `every step runs in a ${ability.sandboxed ? "pid namespace" : "process group"} of its own`);
    },
    isCleared: () => is_cleared,
    start: (listens_on) => {
      port = listens_on;
      commands.start();
    },
    lives: commands.lives,
    committed: ({ thread_id, events }) => {
      if (events.some(endsTask) && networks.leave(thread_id)) commands.endRun(thread_id);
    },
    close: async () => {
      commands.close();
      networks.close();
      await flowEngine?.close();
      await toolServers.close();
    },
  };
}

// What others import beside it: the checks of the doctor, the measurements, and the script that an engine runs.
export {
  createEngineApi,
  createExchange,
  describeFailure,
  type EngineAnswer,
} from "./flow-engine/engine-api.ts";
export { createFlowEngineBackend } from "./flow-engine/flow-engine-backend.ts";
export { baseEnvironment } from "./local/environment.ts";
export { createLocalBackend, createLook } from "./local/local-backend.ts";
export { createRunCommand, type RunCommand, type ShellCommand } from "./local/run-command.ts";
export { createLaunch, type NoteGroup } from "./sandbox/launcher.ts";
export {
  abilityHere,
  agentShellFault,
  emptyMachineFault,
  exposureOf,
  filtersCalls,
  findMachineWarnings,
  hasBubblewrap,
  type MachineWarning,
  readableSecrets,
  refuseReadableApprover,
} from "./sandbox/machine.ts";
export { BASH, programIn } from "./sandbox/programs.ts";
export type { Sandbox } from "./sandbox/sandbox.ts";
export { agentAccount, agentSandbox } from "./sandbox/sandbox-of-config.ts";
export { createSpaces } from "./sandbox/spaces.ts";
