// Where steps run: on this machine, and on the flow engine if there is one.
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { TaskContract } from "../domain/contract.ts";
import { endsTask } from "../domain/journal.ts";
import type { LiveOutput } from "../domain/live-output.ts";
import type { Commit, ExecutionBackend, ToolServers } from "../ports.ts";
import type { Means } from "../process/system.ts";
import type { Redaction } from "../redact/find-secrets.ts";
import { configuredFlowEngine } from "./flow-engine/flow-engine-backend.ts";
import { createLiveOutput } from "./live-output.ts";
import type { Sandbox } from "./local/containment/choose-sandbox.ts";
import { baseEnvironment } from "./local/environment.ts";
import { createLocalExecution, type ExecutionHere } from "./local/local-execution.ts";
import { prepareExecution } from "./local/machine-warnings.ts";
import { networksOfAgents } from "./local/network/agent-networks.ts";
import { createCommandRunner, runnerSetupOf } from "./local/runner/command-runner.ts";

export type Execution = ExecutionHere & {
  /** Null where the contract asks for a backend that is not there. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  /** What steps and agents call; they are closed with the execution. */
  readonly toolServers: ToolServers;
  readonly close: () => Promise<void>;
};

/** Where the commands of a server run. */
export type Machine = {
  readonly sandbox: Sandbox;
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

export function createExecution(config: Config, parts: Parts): ServerExecution {
  const { machine, redaction, toolServers } = parts;
  const { clock, new_id, log } = parts.means;
  const { redact, beginningOf } = redaction;
  const { sandbox, path } = machine;
  const account = { home: homedir(), path, user: process.env["USER"], tz: process.env["TZ"] };
  const running_dir = join(config.data_dir, "running");
  const setup = runnerSetupOf(config, sandbox, running_dir);
  let port = config.port;
  let is_cleared = true;
  const leftBehind = () => {
    is_cleared = false;
  };
  const commands = createCommandRunner(baseEnvironment(account), setup, leftBehind);
  const networks = networksOfAgents(config, { listensOn: () => port, log });
  const { hidden } = setup;
  const here = createLocalExecution(config, { account, clock, redaction, commands, hidden, networks, toolServers });
  const flowEngine = configuredFlowEngine(config, { clock, new_id, redact, log });
  const backends = new Map([here.backend, ...(flowEngine === null ? [] : [flowEngine])].map((one) => [one.name, one]));
  return {
    backendOf: ({ execution_backend = config.execution_backend }) => backends.get(execution_backend) ?? null,
    ofAgents: here.ofAgents,
    unapproved: here.unapproved,
    looks: here.looks,
    toolServers,
    live: createLiveOutput({ watch: commands.watch, redact, beginningOf }),
    prepare: async () => {
      const { secret_paths } = config;
      const docker_host = process.env["DOCKER_HOST"];
      const notes = await prepareExecution({
        sandbox,
        running_dir,
        secret_paths,
        uid: process.getuid?.(),
        docker_host,
      });
      if (notes.some(({ ended }) => ended === false)) leftBehind();
      for (const { message, ...details } of notes) log.warn(details, message);
      log.info({}, `every step runs in a ${sandbox.sandboxed ? "pid namespace" : "process group"} of its own`);
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
