// Runs the steps of a procedure on this machine, one after the other [1.A.6.local], and looks at its checks before the first (D-194).

import { setTimeout as sleep } from "node:timers/promises";
import type { TaskContract } from "../../domain/contract.ts";
import { durationMs } from "../../domain/duration.ts";
import type { StepRun } from "../../domain/live-output.ts";
import type { BeforeLook } from "../../domain/proof.ts";
import type { RunRequest } from "../../domain/run-request.ts";
import type { Step, StepResult } from "../../domain/step.ts";
import {
  type CheckTries,
  flowOutput,
  isIdempotent,
  isPause,
  isPolled,
  isRed,
  maxMs,
  pauseAfter,
  type RanStep,
  RECONCILE_MS,
  sentStep,
  stepEnvironment,
  withTry,
} from "../../domain/step-run.ts";
import type { Clock, ExecutionBackend, StepObserver } from "../../ports.ts";
import { createRedactor, type Redact, withoutMargin } from "../../redact/find-secrets.ts";
import { programIn } from "../sandbox/programs.ts";
import { callTool, NO_TOOL_SERVERS, SILENT, type StepEnd, type ToolCalls, type ToolContext } from "./call-tool.ts";
import { baseEnvironment, type UserAccount, type WorkingDirectory, workingDirectory } from "./environment.ts";
import type { InNetwork } from "./network/agent-networks.ts";
import type { PrepareCommand } from "./prepare-command.ts";
import { type CommandEnd, createRunCommand, type RunCommand, type ShellCommand } from "./run-command.ts";

export function createLocalBackend(options: LocalBackendOptions): ExecutionBackend {
  const { redact = createRedactor([]), toolServers = NO_TOOL_SERVERS } = options;
  const contextOf = createRunContexts(options);
  return {
    name: "local",
    remote: false,
    run: async (request, observer, signal) => {
      const { task_contract, steps } = request;
      const startOf = startsOf(options, { request, context: contextOf(task_contract), observer, signal });
      // Asked while earlier steps run, because the end of a step is durable only with the start of the next.
      const repeatable = steps.map((step) => mayRepeat(step, toolServers, signal));
      const ran: RanStep[] = [];
      for (const [offset, step] of steps.entries()) {
        const harmless = (await repeatable[offset]) === true;
        const { index, attempt } = placeOf(request, offset);
        const started = async () =>
          !signal.aborted && (await observer.started(index, attempt, { repeatable: harmless }));
        const stepEnd = await (isShell(step)
          ? launched(startOf(offset), started)
          : runAfter(started, () => startOf(offset)({ repeatable: harmless })));
        if (stepEnd === null) return flowOutput(ran, index);
        const { executed, ...end } = stepEnd;
        // A server that drains leaves it to the next one: a wait goes on, a polled check begins again.
        if (endsEarly(step) && end.status !== "passed" && observer.leaving?.aborted) return flowOutput(ran, index);
        const stdout = redact(end.stdout);
        const stderr = redact(end.stderr);
        const result: StepResult = { index, kind: step.kind, attempt, ...end, stdout, stderr };
        observer.finished(result);
        ran.push({ step: sentStep(step, task_contract), result, executed });
        if (result.status !== "passed") break;
      }
      return flowOutput(ran, null);
    },
  };
}

/** Null when the start was refused. */
const runAfter = async <End>(started: () => Promise<boolean>, run: () => Promise<End>): Promise<End | null> =>
  (await started()) ? run() : null;

type Run = {
  readonly request: RunRequest;
  readonly context: RunContext;
  readonly observer: StepObserver;
  readonly signal: AbortSignal;
};

const placeOf = ({ first_index, attempt }: RunRequest, offset: number) => ({
  index: first_index + offset,
  attempt: offset === 0 ? attempt : 1,
});

/** Starts the step with this offset. */
const startsOf =
  ({ clock }: Pick<LocalBackendOptions, "clock">, { request, context, observer, signal }: Run) =>
  (offset: number) =>
  ({ repeatable = false, allowed }: How): Promise<Timed> => {
    const step = request.steps[offset] as Step;
    const place = placeOf(request, offset);
    // An interrupted wait continues where it was; a command always starts again.
    const since = offset === 0 && isPause(step) ? request.started_at : undefined;
    const traced = withTrace(withBefore(context, request.before?.get(place.index)), request.traceparentOf?.(place));
    const running = {
      ...traced,
      ...(allowed !== undefined && { allowed }),
      repeatable,
      step: { task_id: request.task_contract.task_id, ...place },
    };
    const until = endsEarly(step) ? anyOf(signal, observer.leaving) : signal;
    return timed(clock, since, allowed, (waited_ms) => runStep(step, { ...running, waited_ms }, until));
  };

type How = { readonly repeatable?: boolean; readonly allowed?: Promise<boolean> };
type Timed = StepEnd & { readonly started_at: string; readonly duration_ms: number };

/** A polled check runs several commands, one after the other. */
const isShell = (step: Step): boolean => step.kind === "cmd" || (step.kind === "check" && !isPolled(step));

/** The launcher of the step is started while its start is made durable, and waits for that (D-310). Null when the start was refused. */
async function launched(start: (how: How) => Promise<Timed>, started: () => Promise<boolean>): Promise<Timed | null> {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<boolean>();
  const end = start({ allowed });
  let isOver = false;
  const note = (): void => {
    isOver = true;
  };
  // What goes wrong with a step that has not begun is not the step's.
  end.then(note, note);
  let isStarted = false;
  try {
    isStarted = await started();
  } finally {
    allow(isStarted && !isOver);
  }
  if (!isStarted) return null;
  // What runs commands was lost meanwhile, and nothing of the step has run.
  return isOver ? start({}) : end;
}

const endsEarly = (step: Step): boolean => isPause(step) || isPolled(step);

const anyOf = (signal: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? signal : AbortSignal.any([signal, other]);

/** What the check printed before the change. */
const withBefore = (context: RunContext, before: string | undefined): RunContext =>
  before === undefined ? context : { ...context, env: { ...context.env, ORCH_BEFORE: before } };

/** As programs that take part in traces read it. */
const withTrace = (context: RunContext, traceparent: string | undefined): RunContext =>
  traceparent === undefined ? context : { ...context, traceparent, env: { ...context.env, TRACEPARENT: traceparent } };

/** Whether the step, or its tool server, says that repeating it does no harm. */
const mayRepeat = async (step: Step, { mayRepeat: ask }: ToolCalls, signal: AbortSignal): Promise<boolean> =>
  isIdempotent(step) || (step.kind === "mcp_call" && ask(step, signal));

/** The duration is measured on a monotonic clock; the time since `since` is known from `clock` only. */
async function timed(
  clock: Clock,
  since: string | undefined,
  allowed: Promise<boolean> | undefined,
  run: (waited_ms: number) => Promise<StepEnd>,
) {
  const waited_ms = since === undefined ? 0 : Math.max(0, clock().getTime() - Date.parse(since));
  let begun = instantOf(clock);
  const ending = run(waited_ms);
  // It may reject before anything awaits it, and would end this process: the one that runs commands can be lost meanwhile.
  ending.catch(() => undefined);
  // A step whose launcher waits begins when it is allowed, unless the launcher is lost before.
  if (allowed !== undefined) {
    await Promise.race([allowed, ending]);
    begun = instantOf(clock);
  }
  const end = await ending;
  const duration_ms = Math.round(waited_ms + performance.now() - begun.monotonic_ms);
  return { ...end, started_at: since ?? begun.at.toISOString(), duration_ms };
}

const instantOf = (clock: Clock) => ({ at: clock(), monotonic_ms: performance.now() });

// What the steps of a run share on this machine: their environment, their directory, their limits, and what runs them.

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

type RunContext = Omit<StepContext, "waited_ms" | "repeatable" | "step" | "allowed">;

/** The context that all steps of a run share. The first command checks the directory, once. */
function createRunContexts(options: LocalBackendOptions): (contract: TaskContract) => RunContext {
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

// Runs a step of any kind on this machine, a command in the directory of its task. It returns a result in every case and never
// throws.

type StepContext = Pick<ShellCommand, "env" | "limit_ms" | "grace_ms" | "allowed"> &
  ToolContext & {
    readonly runCommand: RunCommand;
    readonly directory: () => Promise<WorkingDirectory>;
    /** How long the wait lasted before the server restarted. */
    readonly waited_ms: number;
    /** Set for a step that may be watched while it runs. */
    readonly step?: StepRun;
    /** The limit as a person reads it, where that is not `limit_ms`. */
    readonly limit?: string;
  };

const STOPPED = "orch: stopped on request";

/** Messages of sudo, and of ssh about a file of root, in the namespace of an account that is not root. */
const OF_THE_SANDBOX = /no new privileges|Bad owner or permissions/;

const SANDBOX_HINT =
  "orch: sudo does not work in the sandbox of a step, and files of root appear to belong to another user; ORCH_SANDBOX=off runs steps without it";

/** Messages of programs with rights of another account, in the space that hides the files of orch. */
const WITHOUT_RIGHTS = /must be owned by uid 0|effective uid is not 0|must be setuid root/;

const RIGHTS_HINT =
  "orch: sudo and its like have no effect where orch hides its files from a step. It does not hide them where the step names sudo and no approver token is set, or with ORCH_ACCEPT_READABLE_TOKENS=on";

/** 128 and SIGPIPE. */
const BROKEN_PIPE = 141;

const BROKEN_PIPE_HINT =
  "orch: exit code 141 (SIGPIPE): a command wrote to a reader that had stopped, such as head or grep -q; use a reader that reads to its end";

const failed = (stderr: string, exit_code: number | null = 1): StepEnd => ({
  ...SILENT,
  executed: false,
  status: "failed",
  exit_code,
  stderr,
});

async function runStep(step: Step, context: StepContext, abort: AbortSignal): Promise<StepEnd> {
  switch (step.kind) {
    case "cmd":
      return shell(step.value, true, context, abort);
    case "check":
      return isPolled(step) ? poll(step, context, abort) : shell(step.value, false, context, abort);
    case "wait":
      return wait(step.value, context.waited_ms, abort);
    case "mcp_call":
      return callTool(step, context, abort);
  }
}

async function shell(script: string, strict: boolean, context: StepContext, abort: AbortSignal): Promise<StepEnd> {
  const directory = await context.directory();
  if ("issue" in directory) return failed(`${directory.issue}; nothing was run`);
  if (abort.aborted) return failed(STOPPED, null);
  const { env, limit_ms, grace_ms, step, allowed } = context;
  const command = {
    script,
    strict,
    cwd: directory.cwd,
    env,
    limit_ms,
    grace_ms,
    ...(step !== undefined && { step }),
    ...(allowed !== undefined && { allowed }),
  };
  const end = await context.runCommand(command, abort);
  if (!end.ran) return abort.aborted ? failed(STOPPED, null) : failed(end.reason);
  const { stdout, stderr, stopped, left_processes } = end;
  const passed = end.exit_code === 0 && stopped === null;
  return {
    executed: true,
    status: passed ? "passed" : "failed",
    exit_code: stopped === "abort" ? null : end.exit_code,
    stdout: stdout.text,
    stderr: withLine(stderr.text, passed ? "" : remark(end, context.limit ?? `the time limit of ${limit_ms / 1000} s`)),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    truncated: stdout.truncated || stderr.truncated,
    timed_out: stopped === "time_limit",
    ...(left_processes !== undefined && { left_processes }),
  };
}

/** Runs the check until it passes or its time is over. Its result is that of the last try. */
async function poll(
  { value, within }: { readonly value: string; readonly within: string },
  context: StepContext,
  abort: AbortSignal,
): Promise<StepEnd> {
  const window_ms = durationMs(within);
  if (window_ms === null) return failed(`${JSON.stringify(within)} is not a duration`);
  const begun = performance.now();
  const whole_ms = Math.min(window_ms, context.limit_ms);
  const until = begun + whole_ms;
  const limit = `the end of its ${whole_ms / 1000} s`;
  let tries: CheckTries | null = null;
  for (let nth = 1; ; nth++) {
    const tried_at = performance.now();
    const limit_ms = Math.max(1, Math.round(until - tried_at));
    const end = await shell(value, false, { ...context, limit_ms, limit }, abort);
    tries = withTry(tries ?? NO_TRIES, {
      nth,
      after_ms: Math.round(tried_at - begun),
      duration_ms: Math.round(performance.now() - tried_at),
      exit_code: end.exit_code,
      timed_out: end.timed_out,
    });
    const pause_ms = pauseAfter(nth, until - performance.now());
    // What could not be started now cannot be started later: its text or its directory is wrong.
    if (end.status === "passed" || !end.executed || abort.aborted || pause_ms === null) return { ...end, tries };
    await sleep(pause_ms, undefined, { signal: abort }).catch(() => undefined);
    if (abort.aborted) return { ...failed(STOPPED, null), executed: true, tries };
  }
}

const NO_TRIES: CheckTries = { count: 0, first: [], last: [] };

async function wait(value: string, waited_ms: number, abort: AbortSignal): Promise<StepEnd> {
  const ms = durationMs(value);
  if (ms === null) return failed(`${JSON.stringify(value)} is not a duration`);
  const elapsed = sleep(Math.max(0, ms - waited_ms), true, { signal: abort }).catch(() => false);
  if (!(await elapsed)) return failed(STOPPED, null);
  return { ...SILENT, executed: true, status: "passed", exit_code: 0 };
}

/** Says what the exit code does not: why orch or a signal ended the command, or what prevented it. */
function remark(end: Extract<CommandEnd, { ran: true }>, limit: string): string {
  const { signal, stopped } = end;
  if (stopped === "time_limit") return `orch: stopped at ${limit}`;
  if (stopped === "abort") return STOPPED;
  if (signal !== null) return `orch: ended by ${signal}`;
  if (end.exit_code === BROKEN_PIPE) return BROKEN_PIPE_HINT;
  if (end.contained_in === "pid_namespace") return OF_THE_SANDBOX.test(end.stderr.text) ? SANDBOX_HINT : "";
  return WITHOUT_RIGHTS.test(end.stderr.text) ? RIGHTS_HINT : "";
}

const withLine = (text: string, line: string): string =>
  line === "" || text === "" || text.endsWith("\n") ? text + line : `${text}\n${line}`;

// Looks at the checks of a plan before the change (D-194), a few at a time and briefly, and with the reconcile command of a step (D-299), whose
// processes have ended before: in the same way as a check of a step.

const AT_ONCE = 4;

const ALL_MS = 30_000;

const ONE_MS = 10_000;

const MAX_PRINTED = 4096;

export function createLook(options: LocalBackendOptions): NonNullable<ExecutionBackend["look"]> {
  const contextOf = createRunContexts(options);
  const { redact = createRedactor([]) } = options;
  return async ({ task_contract, checks }, signal) => {
    const shared = contextOf(task_contract);
    const limit_ms = Math.min(ONE_MS, shared.limit_ms);
    const context = { ...shared, limit_ms, grace_ms: 0, waited_ms: 0, repeatable: true };
    const until = AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)]);
    return someAtOnce(AT_ONCE, checks, async ({ step_index, step }) => {
      const begun = performance.now();
      const once = isPolled(step) ? ({ kind: "check", value: step.value } as const) : step;
      const end = await runStep(once, context, until);
      const duration_ms = Math.round(performance.now() - begun);
      return { step_index, ...answerOf(end), duration_ms, ...printedBy(end, redact) };
    });
  };
}

function answerOf({
  status,
  exit_code,
  executed,
  timed_out,
}: StepEnd): Pick<BeforeLook, "answer" | "exit_code" | "reason"> {
  if (status === "passed") return { answer: "green", exit_code, reason: null };
  if (executed === true && !timed_out && exit_code !== null && isRed(exit_code))
    return { answer: "red", exit_code, reason: null };
  const reason = timed_out ? "it reached its time limit" : "it could not be run";
  return { answer: "cannot_tell", exit_code, reason };
}

/** A text that redaction changes could never be equal to the output of the run after. */
function printedBy({ stdout, truncated }: StepEnd, redact: Redact): Pick<BeforeLook, "printed"> {
  const printed = stdout.trim();
  const isKept = !truncated && printed.length <= MAX_PRINTED && redact(printed) === printed;
  return { printed: isKept ? printed : null };
}

/** The results are in the order of the items. */
export async function someAtOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const work = async () => {
    // All workers share one iterator.
    for (const [position, item] of rest) results[position] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

/**
 * Turns exit code 1 into 2 if an earlier command of the pipeline failed: `curl -s URL | grep -q done` also exits with 1 when curl got
 * no answer. 141 is not a failure: the reader stopped first.
 */
const EXIT_2_AFTER_FAILED_WRITER = programIn(import.meta.dirname, "exit-2-after-failed-writer.sh");

export function createReconcile(options: LocalBackendOptions): NonNullable<ExecutionBackend["reconcile"]> {
  const contextOf = createRunContexts(options);
  const { redact = createRedactor([]) } = options;
  return async ({ task_contract, command, leaving }, signal) => {
    const shared = contextOf(task_contract);
    const bounds = { limit_ms: Math.min(RECONCILE_MS, shared.limit_ms), grace_ms: 0, waited_ms: 0, repeatable: true };
    const begun = performance.now();
    const step = { kind: "check", value: `${EXIT_2_AFTER_FAILED_WRITER}${command}` } as const;
    const end = await runStep(step, { ...shared, ...bounds }, AbortSignal.any([signal, leaving]));
    const { executed, exit_code, timed_out, stdout, stderr } = end;
    return {
      exit_code: executed ? exit_code : null,
      timed_out,
      stdout: redact(stdout),
      stderr: redact(stderr),
      duration_ms: Math.round(performance.now() - begun),
      may_run: null,
    };
  };
}
