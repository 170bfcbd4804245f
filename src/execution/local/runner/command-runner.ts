// Runs commands through the runner process (D-035), and replaces a lost one.
import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { OrchError } from "../../../domain/errors.ts";
import type { StepRun } from "../../../domain/live-output.ts";
import { own } from "../../../own-file.ts";
import { defaultLimits, type StepLimits } from "../../sandbox/sandbox.ts";
import type { CommandEnd, RunCommand } from "../run-command.ts";
import { endLeftoverGroups, noteRunner } from "./leftovers.ts";
import type { LiveBytes } from "./live-sender.ts";
import type { RunnerReport, RunnerRequest, RunnerSetup } from "./runner-process.ts";

const PROCESS = join(import.meta.dirname, own("runner-process.ts"));
const GRACE_MS = 5_000;
/** A fork copies the page tables of its process: one thread, and a small young generation (D-404). */
const SMALL = ["--single-threaded", "--max-semi-space-size=1"];
// Bash sets the limits and becomes the runner, and every command inherits them: no command leaves a core file. Others can read what a
// step deploys, also where the server itself writes private files (UMask=0077 of its unit).
const within = (limits: StepLimits) => [
  ...["--noprofile", "--norc", "-p", "-c"],
  ...[`ulimit -c 0; umask 022; ${defaultLimits(limits)}exec "$0" "$@"`, process.execPath, ...SMALL],
];

/** What a watched step writes; null when it has ended. */
export type ReceiveLive = (step: StepRun, live: LiveBytes | null) => void;

export type CommandRunner = {
  /** Starts the process ahead of the first command, which starts it otherwise. */
  readonly start: () => void;
  /** Rejects when the runner process is lost; whether the command took effect is then unknown. */
  readonly runCommand: RunCommand;
  /** From now on, what the steps of the task write is received as well; with null, no longer. */
  readonly watch: (task_id: string, receive: ReceiveLive | null) => void;
  /** The server has its tasks for so long: without another call, the process kills what runs then. */
  readonly lives: (ms: number) => void;
  /** No further command of the run follows. */
  readonly endRun: (run: string) => void;
  /** Ends the process; its running commands are killed. */
  readonly close: () => void;
};

/** `env` is the environment of the process itself. A command could read it, so it contains no secret. */
export function createCommandRunner(
  env: Readonly<Record<string, string>>,
  setup: RunnerSetup,
  leftBehind: LeftBehind = () => undefined,
): CommandRunner {
  const watched: Watched = new Map();
  let runner: ReturnType<typeof startRunner> | null = null;
  let lives_until: number | null = null;
  const running = () => {
    if (runner?.isUp() === true) return runner;
    runner = startRunner(env, { setup, watched, leftBehind });
    if (lives_until !== null) runner.lives(Math.max(0, lives_until - performance.now()));
    return runner;
  };
  return {
    start: () => void running(),
    runCommand: (command, abort) => running().runCommand(command, abort),
    watch: (task_id, receive) => {
      if (receive === null) watched.delete(task_id);
      else watched.set(task_id, receive);
      runner?.watch(task_id, receive !== null);
    },
    lives: (ms) => {
      lives_until = performance.now() + ms;
      runner?.lives(ms);
    },
    endRun: (run) => runner?.endRun(run),
    close: () => runner?.close(),
  };
}

/** Called when something that a lost process has started may still run, or cannot be found after the next loss. */
type LeftBehind = () => void;

/** With the server's compile cache the runner starts in a third of the time. The cache has one directory per release. */
function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const used = getCompileCacheDir();
  return used === undefined ? {} : { NODE_COMPILE_CACHE: dirname(used) };
}

/** By task. */
type Watched = Map<string, ReceiveLive>;
type Waiting = PromiseWithResolvers<CommandEnd> & { readonly step: StepRun | undefined };

const forkRunner = (env: Readonly<Record<string, string>>, limits: StepLimits) =>
  fork(PROCESS, {
    env: { ...env, ...compileCache() },
    execPath: "/bin/bash",
    execArgv: within(limits),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // In its own session, so that an interrupt from the terminal reaches only the server, which then drains.
    detached: true,
  });

type Runner = { readonly setup: RunnerSetup; readonly watched: Watched; readonly leftBehind: LeftBehind };

function startRunner(env: Readonly<Record<string, string>>, { setup, watched, leftBehind }: Runner) {
  const waiting = new Map<number, Waiting>();
  const receive = (step: StepRun | undefined, live: LiveBytes | null) => {
    if (step !== undefined) watched.get(step.task_id)?.(step, live);
  };
  let ids = 0;
  const child = forkRunner(env, setup.plain.limits);
  child.on("message", (report: RunnerReport) => {
    if ("end" in report) settle(report.id)?.resolve(report.end);
    else if ("lost" in report) settle(report.id)?.reject(lost(report.lost));
    else receive(waiting.get(report.id)?.step, report.live);
  });
  const lose = (cause?: unknown) => {
    for (const id of waiting.keys()) settle(id)?.reject(lost(cause));
  };
  child.once("error", lose);
  const forget = noteOf(setup, child.pid);
  // Its commands are ended before the loss is reported, so that a command that runs again does not meet itself.
  child.once("exit", () => {
    forget?.();
    void endGroups(setup, leftBehind).then(() => lose(), lose);
  });
  hold(false);
  const send = (order: RunnerRequest, told?: (error: Error | null) => void) => child.send(order, told);
  send({ setup });

  // The event loop waits for the process only while a command runs.
  function hold(wanted: boolean): void {
    const hold = wanted ? "ref" : "unref";
    child[hold]();
    child.channel?.[hold]();
  }

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    receive(found?.step, null);
    if (waiting.size === 0) hold(false);
    return found;
  }

  const runCommand: RunCommand = async ({ allowed, ...command }, abort) => {
    const id = ++ids;
    const { step } = command;
    const end = Promise.withResolvers<CommandEnd>();
    waiting.set(id, { ...end, step });
    hold(true);
    const stop = () => void send({ id, stop: true });
    const watch = step !== undefined && watched.has(step.task_id);
    const held = allowed !== undefined;
    send({ id, command, watch, held }, (error) => error !== null && settle(id)?.reject(lost(error)));
    void allowed?.then((is) => waiting.has(id) && send({ id, allowed: is }, () => undefined));
    abort.addEventListener("abort", stop, { once: true });
    if (abort.aborted) stop();
    return end.promise.finally(() => abort.removeEventListener("abort", stop));
  };
  const watch = (task_id: string, isWatched: boolean) => {
    if (!isUp()) return;
    for (const [id, { step }] of waiting) if (step?.task_id === task_id) send({ id, watch: isWatched });
  };
  const isUp = () => child.connected;
  // The error is that it has ended, and its spaces with it.
  const endRun = (run: string) => isUp() && send({ end_run: run }, () => undefined);
  const lives = (ms: number) => isUp() && send({ lives_ms: ms }, () => undefined);
  return { runCommand, watch, lives, endRun, isUp, close: () => isUp() && child.disconnect() };
}

const noteOf = ({ running_dir }: RunnerSetup, pid: number | undefined) =>
  running_dir === null || pid === undefined ? null : noteRunner(running_dir, pid);

async function endGroups({ running_dir }: RunnerSetup, leftBehind: LeftBehind): Promise<void> {
  const found = running_dir === null ? [] : await endLeftoverGroups(running_dir, GRACE_MS).catch(missed(leftBehind));
  if (found.some(({ ended }) => !ended)) leftBehind();
}

const missed = (leftBehind: LeftBehind) => (error: unknown) => {
  leftBehind();
  throw error;
};

const lost = (cause?: unknown) => new OrchError("internal_error", "the process that runs commands was lost", { cause });
