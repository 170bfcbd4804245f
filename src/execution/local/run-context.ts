// What the steps of a run share on this machine: their environment, their directory, their limits, and what runs them.
import type { TaskContract } from "../../domain/contract.ts";
import { maxMs, stepEnvironment } from "../../domain/step-run.ts";
import type { Clock } from "../../ports.ts";
import { createRedactor, type Redact, withoutMargin } from "../../redact/find-secrets.ts";
import { NO_TOOL_SERVERS, type ToolCalls } from "./call-tool.ts";
import { baseEnvironment, type UserAccount, type WorkingDirectory, workingDirectory } from "./environment.ts";
import type { InNetwork } from "./network/agent-networks.ts";
import type { PrepareCommand } from "./prepare-command.ts";
import { createRunCommand, type RunCommand, type ShellCommand } from "./run-command.ts";
import type { StepContext } from "./run-step.ts";

const GRACE_MS = 5_000;

export type LocalBackendOptions = UserAccount & {
  readonly clock: Clock;
  /** Removes secrets from the output of a step; by default only those of well-known shapes. */
  readonly redact?: Redact;
  /** Runs commands; by default this process itself. */
  readonly runCommand?: RunCommand;
  /** What is added to each command; `runCommand` must support it. */
  readonly prepare?: PrepareCommand;
  /** Gives every command the network of its task; by default it has that of the machine. */
  readonly inNetwork?: InNetwork;
  /** Absolute directories; a compose_dir must be one of them or below one. Null: no restriction. */
  readonly compose_roots?: readonly string[] | null;
  /** Lets each command run when nothing else is in its way. */
  readonly inTurn?: (runCommand: RunCommand, contract: TaskContract) => RunCommand;
  /** Makes the calls of mcp_call steps; by default there are no tool servers. */
  readonly toolServers?: ToolCalls;
  /** The time limit of one command or call. */
  readonly limitMs?: (contract: TaskContract) => number;
  /** The time between SIGTERM and SIGKILL. */
  readonly grace_ms?: number;
};

export type RunContext = Omit<StepContext, "waited_ms" | "repeatable" | "step" | "allowed">;

/** The context that all steps of a run share. The first command checks the directory, once. */
export function createRunContexts(options: LocalBackendOptions): (contract: TaskContract) => RunContext {
  const { redact = createRedactor([]), limitMs = maxMs, grace_ms = GRACE_MS, compose_roots = null } = options;
  const { toolServers = NO_TOOL_SERVERS, runCommand = createRunCommand(), prepare = asGiven, inNetwork } = options;
  const { inTurn = atOnce } = options;
  const base = baseEnvironment(options);
  return (contract) => {
    let directory: Promise<WorkingDirectory> | undefined;
    const runIn = inNetwork === undefined ? runCommand : inNetwork(runCommand, contract);
    return {
      env: { ...base, ...stepEnvironment(contract) },
      // What `prepare` looks at is as it is until the command runs.
      runCommand: inTurn(
        withoutSecrets(runIn, redact, (command) => prepare(command, contract)),
        contract,
      ),
      contract,
      callTool: toolServers.call,
      redact,
      limit_ms: limitMs(contract),
      grace_ms,
      directory: () => {
        directory ??= workingDirectory(contract.target["compose_dir"], options.home, compose_roots);
        return directory;
      },
    };
  };
}

const atOnce = (runCommand: RunCommand): RunCommand => runCommand;

const asGiven: PrepareCommand = async (command) => command;

/** The process that runs commands knows no secret and hands over more than is shown. */
const withoutSecrets =
  (
    runCommand: RunCommand,
    redact: Redact,
    prepare: (command: ShellCommand) => ReturnType<PrepareCommand>,
  ): RunCommand =>
  async (command, abort) => {
    const prepared = await prepare(command);
    if ("refused" in prepared) return { ran: false, reason: `nothing was run: ${prepared.refused}` };
    const end = await runCommand(prepared, abort);
    if (!end.ran) return end;
    return { ...end, stdout: withoutMargin(end.stdout, redact), stderr: withoutMargin(end.stderr, redact) };
  };
