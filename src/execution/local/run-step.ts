// What each kind of step does on this machine (spec section 2, step kinds). Whatever happens is a result, never an error.
import { setTimeout as sleep } from "node:timers/promises";
import { durationMs } from "../../domain/duration.ts";
import type { Step } from "../../domain/step.ts";
import { callTool, type ToolSurroundings } from "./call-tool.ts";
import type { Command, CommandEnd, RunCommand } from "./run-command.ts";
import { SILENT, type StepEnd } from "./step-end.ts";
import type { Place } from "./working-directory.ts";

export type Surroundings = Pick<Command, "env" | "limit_ms" | "grace_ms"> &
  ToolSurroundings & {
    readonly runCommand: RunCommand;
    readonly place: () => Promise<Place>;
    /** How long the wait has already lasted before the server was restarted. */
    readonly waited_ms: number;
  };

const STOPPED = "orch: stopped on request";
/** What sudo, and ssh of a file that is root's, say in the namespace of an account that is not root. */
const OF_THE_SANDBOX = /no new privileges|Bad owner or permissions/;
const SANDBOX_HINT =
  "orch: in the sandbox of a step sudo does not work, and files of root look like nobody's; ORCH_SANDBOX=off goes without";

const failed = (stderr: string, exit_code: number | null = 1): StepEnd => ({
  ...SILENT,
  executed: false,
  status: "failed",
  exit_code,
  stderr,
});

export async function runStep(step: Step, around: Surroundings, abort: AbortSignal): Promise<StepEnd> {
  switch (step.kind) {
    case "cmd":
    case "check":
      return shell(step.value, step.kind === "cmd", around, abort);
    case "wait":
      return wait(step.value, around.waited_ms, abort);
    case "mcp_call":
      return callTool(step, around, abort);
  }
}

async function shell(script: string, strict: boolean, around: Surroundings, abort: AbortSignal): Promise<StepEnd> {
  const place = await around.place();
  if ("issue" in place) return failed(`${place.issue}; nothing was run`);
  if (abort.aborted) return failed(STOPPED, null);
  const { env, limit_ms, grace_ms } = around;
  const end = await around.runCommand({ script, strict, cwd: place.cwd, env, limit_ms, grace_ms }, abort);
  if (!end.ran) return failed(end.reason);
  const { stdout, stderr, stopped } = end;
  const passed = end.exit_code === 0 && stopped === null;
  return {
    executed: true,
    status: passed ? "passed" : "failed",
    exit_code: stopped === "abort" ? null : end.exit_code,
    stdout: stdout.text,
    stderr: withLine(stderr.text, passed ? "" : remark(end, around.limit_ms)),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    truncated: stdout.truncated || stderr.truncated,
    timed_out: stopped === "time_limit",
  };
}

async function wait(value: string, waited_ms: number, abort: AbortSignal): Promise<StepEnd> {
  const ms = durationMs(value);
  if (ms === null) return failed(`${JSON.stringify(value)} is not a duration`);
  const elapsed = sleep(Math.max(0, ms - waited_ms), true, { signal: abort }).catch(() => false);
  if (!(await elapsed)) return failed(STOPPED, null);
  return { ...SILENT, executed: true, status: "passed", exit_code: 0 };
}

/** Tells what an exit code cannot: why a command ended that did not end by itself, or what stood in its way. */
function remark(end: Extract<CommandEnd, { ran: true }>, limit_ms: number): string {
  const { signal, stopped } = end;
  if (stopped === "time_limit") return `orch: stopped at the time limit of ${limit_ms / 1000} s`;
  if (stopped === "abort") return STOPPED;
  if (signal !== null) return `orch: ended by ${signal}`;
  return end.contained_in === "pid_namespace" && OF_THE_SANDBOX.test(end.stderr.text) ? SANDBOX_HINT : "";
}

const withLine = (text: string, line: string): string =>
  line === "" || text === "" || text.endsWith("\n") ? text + line : `${text}\n${line}`;
