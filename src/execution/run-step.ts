// What each kind of step does on this machine (spec section 2, step kinds). Whatever happens is a result, never an error.
import { setTimeout as sleep } from "node:timers/promises";
import { durationMs, type Step, type StepResult } from "../domain/step.ts";
import type { RunCommand } from "./command-runner.ts";
import type { Command, CommandEnd } from "./run-command.ts";
import type { Place } from "./working-directory.ts";

type Measured = "index" | "kind" | "attempt" | "started_at" | "duration_ms";

/** `executed` is false when nothing was run or called at all. */
export type StepEnd = Omit<StepResult, Measured> & { readonly executed: boolean };

export type Surroundings = Pick<Command, "env" | "limit_ms" | "grace_ms"> & {
  readonly runCommand: RunCommand;
  readonly place: () => Promise<Place>;
  /** How long the wait has already lasted before the server was restarted. */
  readonly waited_ms: number;
};

const SILENT = { stdout: "", stderr: "", stdout_bytes: 0, stderr_bytes: 0, truncated: false, timed_out: false };
const STOPPED = "orch: stopped on request";

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
      return failed("mcp_call steps need the tool-server client, which this version of orch does not have yet");
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
    stderr: withLine(stderr.text, remark(end, around.limit_ms)),
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

/** Tells what an exit code cannot: why a command ended that did not end by itself. */
function remark({ signal, stopped }: Extract<CommandEnd, { ran: true }>, limit_ms: number): string {
  if (stopped === "time_limit") return `orch: stopped at the time limit of ${limit_ms / 1000} s`;
  if (stopped === "abort") return STOPPED;
  return signal === null ? "" : `orch: ended by ${signal}`;
}

const withLine = (text: string, line: string): string =>
  line === "" || text === "" || text.endsWith("\n") ? text + line : `${text}\n${line}`;
