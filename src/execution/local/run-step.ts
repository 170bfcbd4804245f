// Runs a step of any kind on this machine, a command in the directory of its task. It returns a result in every case and never
// throws.
import { setTimeout as sleep } from "node:timers/promises";
import { durationMs } from "../../domain/duration.ts";
import type { StepRun } from "../../domain/live-output.ts";
import { type CheckTries, isPolled, pauseAfter, withTry } from "../../domain/polling.ts";
import type { Step } from "../../domain/step.ts";
import { callTool, SILENT, type StepEnd, type ToolContext } from "./call-tool.ts";
import type { WorkingDirectory } from "./environment.ts";
import type { CommandEnd, RunCommand, ShellCommand } from "./run-command.ts";

export type StepContext = Pick<ShellCommand, "env" | "limit_ms" | "grace_ms" | "allowed"> &
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

export async function runStep(step: Step, context: StepContext, abort: AbortSignal): Promise<StepEnd> {
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
