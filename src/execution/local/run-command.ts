// Runs one command of a step of kind cmd or check, once the syntax of a longer script is right (D-062). No process within its
// containment outlives it (D-036), not even `nohup server &`; a step starts a daemon through systemd or docker.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { StepRun } from "../../domain/live-output.ts";
import type { LeftProcesses } from "../../domain/step.ts";
import { type Contained, createLaunch, type Ending, type Launch } from "../sandbox/launcher.ts";
import { describeLeft, settledProcesses } from "../sandbox/processes.ts";
import { isConfined, type NeverBegan, PLAIN_STEP, type Sandbox } from "../sandbox/sandbox.ts";
import { createOutputRing, type OutputRing, type StreamOutput } from "./output-ring.ts";

// Three guards keep ~/.bashrc out: --norc, no stdin, and SHLVL in the environment. -p also ignores BASH_ENV.
const BASH = "/bin/bash";
const STRICT = ["--noprofile", "--norc", "-p", "-euo", "pipefail", "-c"];
/** For a check the exit code is the answer, so only pipelines are strict (D-037). */
const PLAIN = ["--noprofile", "--norc", "-p", "-o", "pipefail", "-c"];
/** The same where the last part of each pipeline decides alone. */
const STRICT_LAST_PART = ["--noprofile", "--norc", "-p", "-eu", "-c"];
const PLAIN_LAST_PART = ["--noprofile", "--norc", "-p", "-c"];
const DRAIN_MS = 250;

export type ShellCommand = {
  readonly script: string;
  /** Whether a failing command or an unset variable ends the script. */
  readonly strict: boolean;
  /** Set where no part of a pipeline but the last one counts (D-411). */
  readonly last_part_decides?: true;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limit_ms: number;
  /** The time between SIGTERM and SIGKILL. */
  readonly grace_ms: number;
  /** That of a plain step where it is not given. */
  readonly sandbox?: Sandbox;
  /** Set where what the command writes may be shown while it runs. */
  readonly step?: StepRun;
  /** Resolves when it may begin, and with false when it must not: until then its launcher is started. Never rejects. */
  readonly allowed?: Promise<boolean>;
};

type Stop = "time_limit" | "abort";

/** `exit_code` is null when a signal ended bash; `stopped` says whether orch sent it. */
export type CommandEnd =
  | { readonly ran: false; readonly reason: string }
  | (Ending & {
      readonly ran: true;
      readonly stopped: Stop | null;
      readonly contained_in: Sandbox["processes"];
      readonly stdout: StreamOutput;
      readonly stderr: StreamOutput;
      /** Absent where it left none. */
      readonly left_processes?: LeftProcesses;
    });

/** May reject when it is unknown whether the command took effect. */
export type RunCommand = (command: ShellCommand, abort: AbortSignal) => Promise<CommandEnd>;

/** What a running command has written so far. */
export type RunningOutput = { readonly stdout: OutputRing; readonly stderr: OutputRing };
type OnOutput = (output: RunningOutput) => void;

/** `plain`: what a command without a sandbox of its own runs in. */
type Means = { readonly plain?: Sandbox; readonly launch?: Launch };

export function createRunCommand({ plain = PLAIN_STEP, launch = createLaunch() }: Means = {}) {
  const syntaxFault = createSyntaxCheck();
  return async (command: ShellCommand, abort: AbortSignal, onOutput?: OnOutput): Promise<CommandEnd> => {
    const fault = await syntaxFault(command.script);
    if (fault !== null)
      return { ran: false, reason: `bash does not accept the script, nothing of it was run:\n${fault}` };
    const { sandbox = plain, allowed } = command;
    // What an agent's command sees is decided when it may begin.
    if (isConfined(sandbox) && (await allowed) === false) return NOT_ALLOWED;
    const contained = await launch(sandbox, [BASH, ...optionsOf(command), command.script], command);
    if (allowed !== undefined && (!(await allowed) || abort.aborted)) {
      if (!("fault" in contained)) await contained.clear();
      return NOT_ALLOWED;
    }
    const end = "fault" in contained ? contained : await watch(contained, { ...command, onOutput }, abort);
    if ("fault" in end) return { ran: false, reason: notStarted(command, end) };
    return { ran: true, contained_in: sandbox.processes, ...end };
  };
}

function optionsOf({ strict, last_part_decides }: ShellCommand): readonly string[] {
  if (last_part_decides === true) return strict ? STRICT_LAST_PART : PLAIN_LAST_PART;
  return strict ? STRICT : PLAIN;
}

const NOT_ALLOWED: CommandEnd = { ran: false, reason: "it was not allowed to run" };

type Watching = Pick<ShellCommand, "limit_ms" | "grace_ms"> & { readonly onOutput: OnOutput | undefined };

/** Lets a command begin, waits for its end and ends its remaining processes. */
async function watch(contained: Contained, { limit_ms, grace_ms, onOutput }: Watching, abort: AbortSignal) {
  const stdout = capture(contained.stdout);
  const stderr = capture(contained.stderr);
  onOutput?.({ stdout: stdout.ring, stderr: stderr.ring });
  contained.begin();
  // A background job may hold the pipes open for any length of time.
  const drained = () =>
    Promise.race([Promise.all([stdout.closed, stderr.closed]), sleep(DRAIN_MS, undefined, { ref: false })]);
  try {
    const ending = await endOrStop(contained.ended, limit_ms, abort);
    if (typeof ending === "string") {
      const stopped = await contained.stop(grace_ms);
      await drained();
      return { ...stopped, stopped: ending, stdout: stdout.read(), stderr: stderr.read() };
    }
    await drained();
    if ("fault" in ending) {
      await contained.clear();
      return ending;
    }
    const found = await settledProcesses(contained.left);
    await contained.clear();
    const left_processes = await describeLeft(found);
    return {
      ...ending,
      stopped: null,
      stdout: stdout.read(),
      stderr: stderr.read(),
      ...(left_processes !== null && { left_processes }),
    };
  } finally {
    // Already closed, unless a process outside of the containment holds them.
    contained.stdout.destroy();
    contained.stderr.destroy();
  }
}

function capture(stream: Readable) {
  const ring = createOutputRing();
  stream.on("data", ring.push);
  return { closed: new Promise((resolve) => stream.once("close", resolve)), read: ring.read, ring };
}

/** The end of the command, or the reason to stop it. */
function endOrStop<End>(ended: Promise<End>, limit_ms: number, abort: AbortSignal): Promise<End | Stop> {
  const { promise, resolve, reject } = Promise.withResolvers<End | Stop>();
  const timer = setTimeout(resolve, limit_ms, "time_limit");
  const onAbort = () => resolve("abort");
  abort.addEventListener("abort", onAbort);
  ended.then(resolve, reject);
  if (abort.aborted) onAbort();
  return promise.finally(() => {
    clearTimeout(timer);
    abort.removeEventListener("abort", onAbort);
  });
}

function notStarted({ cwd, env }: ShellCommand, { fault }: NeverBegan): string {
  const said = `the command could not be started: ${fault}`;
  if (!existsSync(cwd)) return `${said}; there is no directory ${cwd}`;
  if (!said.includes("E2BIG")) return said;
  const [name, bytes] = Object.entries(env)
    .map(([key, value]) => [key, Buffer.byteLength(value)] as const)
    .reduce((a, b) => (b[1] > a[1] ? b : a), ["none", 0] as const);
  return `${said}; the environment is too large, its largest variable is ${name} with ${bytes} bytes`;
}

const LIMIT_MS = 10_000;

/** Bash's error message for the script, null when the syntax is valid. */
type SyntaxCheck = (script: string) => Promise<string | null>;

/**
 * Checks the syntax of scripts of several lines before they run (D-062). Bash reads and runs a script line by line, so it finds
 * an error in the last line after the others have run. It reads a single line whole before it runs any of it. The last `kept`
 * valid scripts are not read again.
 */
export function createSyntaxCheck(kept = 256): SyntaxCheck {
  // In the order of last use.
  const valid = new Set<string>();
  return async (script) => {
    if (!script.trimEnd().includes("\n")) return null;
    const fault = valid.delete(script) ? null : await readByBash(script);
    if (fault === null) valid.add(script);
    for (const oldest of valid) if (valid.size > kept) valid.delete(oldest);
    return fault;
  };
}

/** Bash's error message. Also null when bash cannot start or does not end: starting the command then gives the reason. */
export async function readByBash(script: string): Promise<string | null> {
  // Nothing runs here, not even `shopt -s extglob`, although it changes the syntax of the lines after it.
  const extglob = script.includes("extglob") ? ["-O", "extglob"] : [];
  const args = ["--noprofile", "--norc", "-p", ...extglob, "-n", "-c", script];
  const options = { cwd: "/", env: { LANG: "C.UTF-8", SHLVL: "1" }, timeout: LIMIT_MS };
  const read = promisify(execFile);
  try {
    const reading = read("/bin/bash", args, options);
    reading.child.stdin?.end();
    await reading;
    return null;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    return typeof code === "number" ? (stderr ?? "").trim() : null;
  }
}
