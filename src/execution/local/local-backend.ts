// Runs the steps of a procedure on this machine, one after the other [1.A.6.local].
import type { TaskContract } from "../../domain/contract.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import { flowOutput, maxMs, type RanStep, sentStep, stepEnvironment } from "../../domain/step-run.ts";
import type { Clock, ExecutionBackend, RunRequest } from "../../ports.ts";
import { createRedactor, type Redact, withoutMargin } from "../../redact/redact.ts";
import { NO_TOOL_SERVERS, type ToolCalls } from "./call-tool.ts";
import type { Confinement } from "./containment/containment.ts";
import { baseEnvironment, type UserAccount } from "./environment.ts";
import { createRunCommand, type RunCommand } from "./run-command.ts";
import { runStep, type StepContext, type WorkingDirectory, workingDirectory } from "./run-step.ts";
import type { StepEnd } from "./step-end.ts";

const GRACE_MS = 5_000;

export type LocalBackendOptions = UserAccount & {
  readonly clock: Clock;
  /** Removes secrets from the output of a step; by default only those of well-known shapes. */
  readonly redact?: Redact;
  /** Runs commands; by default this process itself. */
  readonly runCommand?: RunCommand;
  /** For every command; `runCommand` must support it. */
  readonly confinement?: Confinement;
  /** Absolute directories; a compose_dir must be one of them or below one. Null: no restriction. */
  readonly compose_roots?: readonly string[] | null;
  /** Makes the calls of mcp_call steps; by default there are no tool servers. */
  readonly toolServers?: ToolCalls;
  /** The time limit of one command or call. */
  readonly limitMs?: (contract: TaskContract) => number;
  /** The time between SIGTERM and SIGKILL. */
  readonly grace_ms?: number;
};

export function createLocalBackend(options: LocalBackendOptions): ExecutionBackend {
  const {
    clock,
    redact = createRedactor([]),
    limitMs = maxMs,
    grace_ms = GRACE_MS,
    compose_roots = null,
    toolServers = NO_TOOL_SERVERS,
    runCommand = createRunCommand(),
    confinement,
  } = options;
  const base = baseEnvironment(options);
  const run = withoutSecrets(runCommand, { confinement, redact });

  /** The context that all steps of a run share. The first command checks the directory, once. */
  const contextOf = ({ task_contract }: RunRequest): Omit<StepContext, "waited_ms" | "repeatable"> => {
    let directory: Promise<WorkingDirectory> | undefined;
    return {
      env: { ...base, ...stepEnvironment(task_contract) },
      runCommand: run,
      contract: task_contract,
      callTool: toolServers.call,
      redact,
      limit_ms: limitMs(task_contract),
      grace_ms,
      directory: () => {
        directory ??= workingDirectory(task_contract.target["compose_dir"], options.home, compose_roots);
        return directory;
      },
    };
  };

  return {
    name: "local",
    remote: false,
    run: async (request, observer, signal) => {
      const context = contextOf(request);
      // Asked while earlier steps run, because the end of a step is durable only with the start of the next.
      const repeatable = request.steps.map((step) => mayRepeat(step, toolServers, signal));
      const ran: RanStep[] = [];
      for (const [offset, step] of request.steps.entries()) {
        const index = request.first_index + offset;
        const attempt = offset === 0 ? request.attempt : 1;
        const harmless = (await repeatable[offset]) === true;
        if (signal.aborted || !(await observer.started(index, attempt, { repeatable: harmless })))
          return flowOutput(ran, index);
        // An interrupted wait continues where it was; a command always starts again.
        const since = offset === 0 && step.kind === "wait" ? request.started_at : undefined;
        const { executed, ...end } = await timed(clock, since, (waited_ms) =>
          runStep(step, { ...context, waited_ms, repeatable: harmless }, signal),
        );
        const stdout = redact(end.stdout);
        const stderr = redact(end.stderr);
        const result: StepResult = { index, kind: step.kind, attempt, ...end, stdout, stderr };
        observer.finished(result);
        ran.push({ step: sentStep(step, request.task_contract), result, executed });
        if (result.status !== "passed") break;
      }
      return flowOutput(ran, null);
    },
  };
}

/** The process that runs commands knows no secret and hands over more than is shown. */
const withoutSecrets =
  (
    runCommand: RunCommand,
    { confinement, redact }: { confinement: Confinement | undefined; redact: Redact },
  ): RunCommand =>
  async (command, abort) => {
    const end = await runCommand(confinement === undefined ? command : { ...command, confinement }, abort);
    if (!end.ran) return end;
    return { ...end, stdout: withoutMargin(end.stdout, redact), stderr: withoutMargin(end.stderr, redact) };
  };

/** Whether the step's tool server says that repeating the call does no harm. */
const mayRepeat = async (step: Step, { mayRepeat: ask }: ToolCalls, signal: AbortSignal): Promise<boolean> =>
  step.kind === "mcp_call" && ask(step, signal);

/** The duration is measured on a monotonic clock; the time since `since` is known from `clock` only. */
async function timed(clock: Clock, since: string | undefined, run: (waited_ms: number) => Promise<StepEnd>) {
  const now = clock();
  const waited_ms = since === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(since));
  const begun = performance.now();
  const end = await run(waited_ms);
  const duration_ms = Math.round(waited_ms + performance.now() - begun);
  return { ...end, started_at: since ?? now.toISOString(), duration_ms };
}
