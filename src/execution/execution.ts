// Where steps run: on this machine, and on the flow engine if there is one.
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { TaskContract } from "../domain/contract.ts";
import { endsTask } from "../domain/journal.ts";
import type { LiveOutput } from "../domain/live-output.ts";
import type { AgentExecution } from "../features/agents/agent-services.ts";
import type { Log } from "../log/log.ts";
import { ROOT } from "../own-file.ts";
import type { Clock, Commit, ExecutionBackend, NewId, ToolServers } from "../ports.ts";
import type { CheckLooks } from "../proof/examiner.ts";
import type { Redact, WithoutKnown } from "../redact/find-secrets.ts";
import { createFlowEngineBackend, type FlowEngineBackend } from "./flow-engine/flow-engine-backend.ts";
import type { WaitChange } from "./flow-engine/wait-watch.ts";
import { createLiveOutput } from "./live-output.ts";
import { createAgentPlaces, createTurns } from "./local/agent-turns.ts";
import { agentConfinement, orchFiles } from "./local/confinement/agent-confinement.ts";
import { createRunsLater } from "./local/confinement/runs-later.ts";
import type { Sandbox } from "./local/containment/choose-sandbox.ts";
import { readOnly } from "./local/containment/containment.ts";
import { createCheckLooks } from "./local/control-and-decoy.ts";
import { createDisk, createDiskForAgents, createKeptTexts, textAtOf } from "./local/disk.ts";
import { baseEnvironment } from "./local/environment.ts";
import { createLocalBackend } from "./local/local-backend.ts";
import { createLook } from "./local/look.ts";
import { type AgentNetworks, withinNetworks } from "./local/network/agent-networks.ts";
import { prepareConfined, preparePlain } from "./local/prepare-command.ts";
import { createReconcile } from "./local/reconcile.ts";
import { createCommandRunner, runnerSetupOf } from "./local/runner/command-runner.ts";

export type Execution = {
  /** Null where the contract asks for a backend that is not there. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  /** Runs the calls of agents, whose commands are confined. */
  readonly ofAgents: AgentExecution;
  /** Runs what only looks and is not approved yet: as confined as an agent's command, and no file can be written. */
  readonly unapproved: Pick<ExecutionBackend, "run" | "look">;
  /** Null where looks at checks are switched off. */
  readonly looks: CheckLooks | null;
  readonly close: () => Promise<void>;
};

type Parts = {
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly redact: Redact;
  readonly log: Log;
  /** Where a known secret begins that the text may end within: those that `redact` knows. */
  readonly beginningOf: (text: string) => number;
  /** Texts of scripts on disk as they are judged: without those secrets. */
  readonly withoutKnown: WithoutKnown;
  readonly sandbox: Sandbox;
  /** The networks of agents' commands; they are closed with the execution. */
  readonly networks: AgentNetworks;
  readonly toolServers: ToolServers;
  /** Called when something that a lost process has started may still run. */
  readonly leftBehind: () => void;
  /** Where commands find programs; the system's directories when it is not given. */
  readonly path?: string | undefined;
};

/** The directory, in the data directory, for notes on running commands. */
export const runningDirIn = (data_dir: string): string => join(data_dir, "running");

type ExecutionParts = {
  /** Starts the process for commands ahead of the first one. */
  readonly start: () => void;
  /** This server has its tasks for so long: what its steps run is killed then, unless this is said again. */
  readonly lives: (ms: number) => void;
  /** What steps write while they run on this machine. */
  readonly live: LiveOutput;
  /** Gives up what the commands of a task shared that has ended: their /tmp, their home and their network. */
  readonly committed: (commit: Pick<Commit, "thread_id" | "events">) => void;
};

export function createExecution(config: Config, parts: Parts): Execution & ExecutionParts {
  const { clock, redact, beginningOf, withoutKnown, sandbox, networks, toolServers, path } = parts;
  const { compose_roots } = config;
  const account = { home: homedir(), path, user: process.env["USER"], tz: process.env["TZ"] };
  const running_dir = runningDirIn(config.data_dir);
  const setup = runnerSetupOf(config, sandbox, running_dir);
  const commands = createCommandRunner(baseEnvironment(account), setup, parts.leftBehind);
  const local = { ...account, clock, redact, compose_roots, runCommand: commands.runCommand };
  const flowEngine = composeFlowEngine(config, parts);
  const confinement = agentConfinement(config);
  const places = createAgentPlaces(join(config.data_dir, "agent-places"));
  const inNetwork = withinNetworks(networks);
  const turns = createTurns(confinement.writable);
  const options = { ...local, toolServers, prepare: preparePlain(places), inTurn: turns.ofSteps };
  const unapproved = { ...options, prepare: preparePlain(places, readOnly(confinement)) };
  const disk = createDisk(setup.hidden, withoutKnown);
  const textAt = textAtOf(disk);
  const here = {
    ...createLocalBackend(options),
    disk,
    keptTexts: createKeptTexts(join(config.data_dir, "scripts")),
    reconcile: createReconcile(options),
    ...(config.before_look === "on" && { look: createLook(options) }),
  };
  const backends = new Map([here, ...(flowEngine === null ? [] : [flowEngine])].map((one) => [one.name, one]));
  return {
    backendOf: ({ execution_backend = config.execution_backend }) => backends.get(execution_backend) ?? null,
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
      ...(config.before_look === "on" && { look: createLook(unapproved) }),
    },
    live: createLiveOutput({ watch: commands.watch, redact, beginningOf }),
    looks:
      config.check_looks === "off"
        ? null
        : createCheckLooks({
            account,
            runCommand: commands.runCommand,
            hidden: [ROOT, ...orchFiles(config), ...config.capabilities],
            textAt,
            confinement,
            inNetwork,
          }),
    start: commands.start,
    lives: commands.lives,
    committed: ({ thread_id, events }) => {
      if (events.some(endsTask) && networks.leave(thread_id)) commands.endRun(thread_id);
    },
    close: async () => {
      commands.close();
      networks.close();
      await flowEngine?.close();
    },
  };
}

/** One line per change: a fault of the engine is a warning, its queue is not. */
const logWaits =
  (log: Log) =>
  ({ job_id, wait, tries }: WaitChange): void => {
    if (wait === null) log.info({ job_id, tries }, "the job on the flow engine goes on");
    else if (wait.on === "queue") log.info({ job_id, since: wait.since, tries }, wait.message);
    else log.warn({ job_id, since: wait.since, tries }, `${wait.message}; the job is not given up`);
  };

function composeFlowEngine(
  { flow_engine: engine, tool_servers, before_look }: Config,
  { clock, new_id, redact, log }: Parts,
): FlowEngineBackend | null {
  if (engine === null) return null;
  const { flow_path, poll_ms } = engine;
  const means = { tool_servers, clock, new_id, redact, timing: { poll_ms }, onWait: logWaits(log) };
  return createFlowEngineBackend({ engine, flow_path, before_look: before_look === "on", ...means });
}
