// Runs the steps of a procedure on this machine, one after the other (spec section 1, execution backends).
import type { TaskContract } from "../../domain/contract.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import { stepEnvironment } from "../../domain/step-environment.ts";
import { maxMs } from "../../domain/time-limit.ts";
import type { Clock, ExecutionBackend, RunRequest } from "../../ports.ts";
import { createRedactor, type Redact } from "../../redact/redact.ts";
import { flowOutput, type RanStep } from "../flow-output.ts";
import { NO_TOOL_SERVERS, type ToolCalls } from "./call-tool.ts";
import type { Confinement } from "./containment/containment.ts";
import { type Account, baseEnvironment } from "./environment.ts";
import { withoutMargins } from "./redact-output.ts";
import { createRunCommand, type RunCommand } from "./run-command.ts";
import { runStep, type Surroundings } from "./run-step.ts";
import type { StepEnd } from "./step-end.ts";
import { type Place, workingDirectory } from "./working-directory.ts";

const GRACE_MS = 5_000;

export type LocalBackendOptions = Account & {
  readonly clock: Clock;
  /** Takes secrets out of what a step wrote before anyone else sees it; without it, those of well-known shapes. */
  readonly redact?: Redact;
  /** How commands are run; by this process itself unless a command runner is given. */
  readonly runCommand?: RunCommand;
  /** Of every command; `runCommand` must be able to confine it. */
  readonly confinement?: Confinement;
  /** Absolute directories that a compose_dir must be one of or lie below; null: it may be anywhere. */
  readonly compose_roots?: readonly string[] | null;
  /** Who calls the tools of mcp_call steps; nobody unless given. */
  readonly toolServers?: ToolCalls;
  /** How long one command or call may take. */
  readonly limitMs?: (contract: TaskContract) => number;
  /** What a command that must stop has left between SIGTERM and SIGKILL. */
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
  const run: RunCommand = (command, abort) =>
    runCommand(confinement === undefined ? command : { ...command, confinement }, abort);

  /** What all steps of one run share; the directory is looked at once, by the first command. */
  const surroundingsOf = ({ task_contract }: RunRequest): Omit<Surroundings, "waited_ms" | "repeatable"> => {
    let place: Promise<Place> | undefined;
    return {
      env: { ...base, ...stepEnvironment(task_contract) },
      runCommand: withoutMargins(run, redact),
      contract: task_contract,
      callTool: toolServers.call,
      redact,
      limit_ms: limitMs(task_contract),
      grace_ms,
      place: () => {
        place ??= workingDirectory(task_contract.target["compose_dir"], options.home, compose_roots);
        return place;
      },
    };
  };

  return {
    name: "local",
    hands_over: false,
    run: async (request, observer, signal) => {
      const around = surroundingsOf(request);
      // Asked while earlier steps run: the end of a step is durable only with the start of the next.
      const repeatable = request.steps.map((step) => mayRepeat(step, toolServers, signal));
      const ran: RanStep[] = [];
      for (const [offset, step] of request.steps.entries()) {
        const index = request.first_index + offset;
        const attempt = offset === 0 ? request.attempt : 1;
        const harmless = (await repeatable[offset]) === true;
        if (signal.aborted || !(await observer.started(index, attempt, { repeatable: harmless })))
          return flowOutput(ran, index);
        // An interrupted wait goes on where it was; a command always begins anew.
        const since = offset === 0 && step.kind === "wait" ? request.started_at : undefined;
        const { executed, ...end } = await timed(clock, since, (waited_ms) =>
          runStep(step, { ...around, waited_ms, repeatable: harmless }, signal),
        );
        const stdout = redact(end.stdout);
        const stderr = redact(end.stderr);
        const result: StepResult = { index, kind: step.kind, attempt, ...end, stdout, stderr };
        observer.finished(result);
        ran.push({ step, result, executed });
        if (result.status !== "passed") break;
      }
      return flowOutput(ran, null);
    },
  };
}

/** Whether the step's own tool server says that it does no harm when it is called again. */
const mayRepeat = async (step: Step, { mayRepeat: ask }: ToolCalls, signal: AbortSignal): Promise<boolean> =>
  step.kind === "mcp_call" && ask(step, signal);

/** The duration is measured on a clock that is never set; the time since `since` is known from `clock` only. */
async function timed(clock: Clock, since: string | undefined, run: (waited_ms: number) => Promise<StepEnd>) {
  const now = clock();
  const waited_ms = since === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(since));
  const begun = performance.now();
  const end = await run(waited_ms);
  const duration_ms = Math.round(waited_ms + performance.now() - begun);
  return { ...end, started_at: since ?? now.toISOString(), duration_ms };
}
