// Runs one command; the only place that spawns (spec section 2, step kinds cmd and check). Nothing a command leaves behind
// in its process group outlives it, `nohup server &` neither: a step that starts a daemon starts it in its own session
// (`setsid`, systemd, docker), and with its output redirected, since the pipes are closed when the step ends.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { createOutputRing, type Output } from "./output-ring.ts";
import { signalGroup, stopGroup } from "./process-group.ts";

// Three guards keep ~/.bashrc out: --norc, no stdin, and SHLVL in the environment. -p also ignores BASH_ENV.
const BASH = "/bin/bash";
const STRICT = ["--noprofile", "--norc", "-p", "-euo", "pipefail", "-c"];
/** For a check the exit code is the answer, so only a pipeline is strict: `yes | head -n1` exits 141. */
const PLAIN = ["--noprofile", "--norc", "-p", "-o", "pipefail", "-c"];
const DRAIN_MS = 250;

export type Command = {
  readonly script: string;
  /** Whether the first command that fails, or a variable that is not set, ends the script. */
  readonly strict: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limit_ms: number;
  /** Between SIGTERM and SIGKILL. */
  readonly grace_ms: number;
};

type Stop = "time_limit" | "abort";

/** `exit_code` is null when a signal ended bash, `stopped` tells whether orch did. */
export type CommandEnd =
  | { readonly ran: false; readonly reason: string }
  | {
      readonly ran: true;
      readonly exit_code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly stopped: Stop | null;
      readonly stdout: Output;
      readonly stderr: Output;
    };

type Bash = ChildProcessByStdio<null, Readable, Readable>;

export async function runCommand(command: Command, abort: AbortSignal): Promise<CommandEnd> {
  let child: Bash;
  try {
    child = start(command);
  } catch (error) {
    return notStarted(command, error);
  }
  const { pid } = child;
  if (pid === undefined) return notStarted(command, (await once(child, "error"))[0]);
  const stdout = capture(child.stdout);
  const stderr = capture(child.stderr);
  const stopped = await ended(child, command.limit_ms, abort);
  if (stopped === null) signalGroup(pid, "SIGKILL");
  else await stopGroup(pid, command.grace_ms);
  // Already closed, unless a process in another session holds them.
  child.stdout.destroy();
  child.stderr.destroy();
  // Only a process that SIGKILL does not end is still there, and this server must be able to exit before it.
  child.unref();
  const { exitCode: exit_code, signalCode: signal } = child;
  return { ran: true, exit_code, signal, stopped, stdout: stdout.read(), stderr: stderr.read() };
}

const start = ({ script, strict, cwd, env }: Command): Bash =>
  spawn(BASH, [...(strict ? STRICT : PLAIN), script], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });

function capture(stream: Readable) {
  const ring = createOutputRing();
  stream.on("data", ring.push);
  return ring;
}

/**
 * Waits for the exit and then a moment for the pipes: a background job may hold them open for as long as it likes.
 * Resolves with null then, or with the reason for which the command must be stopped.
 */
function ended(child: Bash, limit_ms: number, abort: AbortSignal): Promise<Stop | null> {
  return new Promise((resolve) => {
    const settle = (stop: Stop | null) => {
      clearTimeout(timer);
      abort.removeEventListener("abort", onAbort);
      resolve(stop);
    };
    const onAbort = () => settle("abort");
    let timer = setTimeout(settle, limit_ms, "time_limit");
    abort.addEventListener("abort", onAbort);
    child.once("exit", () => {
      clearTimeout(timer);
      abort.removeEventListener("abort", onAbort);
      timer = setTimeout(settle, DRAIN_MS, null);
    });
    child.once("close", () => settle(null));
    if (abort.aborted) onAbort();
  });
}

function notStarted({ cwd, env }: Command, error: unknown): CommandEnd {
  const said = error instanceof Error ? error.message : String(error);
  const [name, bytes] = Object.entries(env)
    .map(([key, value]) => [key, Buffer.byteLength(value)] as const)
    .reduce((a, b) => (b[1] > a[1] ? b : a), ["none", 0] as const);
  const hint = said.includes("E2BIG")
    ? `the environment is too large, its largest variable is ${name} with ${bytes} bytes`
    : `is there a directory ${cwd}?`;
  return { ran: false, reason: `${BASH} could not be started: ${said}; ${hint}` };
}
