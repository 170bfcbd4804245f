// Keeps a command in its own pid namespace: when its first process ends, the kernel ends all others. The file system is unchanged except
// /proc, which shows only the namespace. The starter makes it in mounts that bubblewrap has made once (D-275). Where nothing starts
// commands from within, and for agents, INIT is process 1: it starts the command and reports its begin and its end on stderr.
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contained, Containment, Ending, NeverBegan, ProcessContext } from "./containment.ts";
import { processesBelow } from "./left-processes.ts";
import { AFTER_KILL_MS, isGone, signalGroup, signalOf, signalProcess } from "./process-group.ts";
import type { Running } from "./running.ts";
import { type Argv, pipeOf, spawnDetached } from "./spawn-detached.ts";
import { type KeptStarter, keepStarter } from "./starter.ts";
import { STARTER } from "./starter-script.ts";

export const BWRAP = "/usr/bin/bwrap";
// A session of its own makes INIT the leader of the group that receives SIGTERM; the signal has no effect on process 1.
const MOUNTS = ["--dev-bind", "/", "/"];
const SPACE = [...MOUNTS, "--proc", "/proc", "--unshare-pid", "--as-pid-1", "--new-session"];
const BOUND = ["--die-with-parent"];
const INFORMED = ["--info-fd", "3"];
// The first line fails, and the command does not begin, when no server is left to end it. When a signal ends the command,
// bash prints a message before `ended`. INIT then keeps the namespace open, because last lines may still be written.
export const REPORT_ENDS = `echo began >&2 || exit 1
SHLVL=$((SHLVL - 1)) "$@" >&4 2>&5 4>&- 5>&-
code=$?
exec 4>&- 5>&-
echo "ended $code" >&2`;
export const INIT = `${REPORT_ENDS}
read -r -u 2`;
const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c", INIT, "orch"];
/** What a process that becomes INIT is started with; files of its own may follow. */
export const INIT_STDIO = ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe"] as const;
const REPORT = 2;
const INFO = 3;
const KILLED: Ending = { exit_code: null, signal: "SIGKILL" };

/** Whether the arguments are those of a namespace of orch, or of what makes one. */
export const isNamespace = (args: string): boolean => args.includes(INIT) || args.includes(STARTER);

/** What makes the mounts of one command; `state` is another one after mounts have changed. */
export type Binds = (cwd: string) => Promise<{ readonly state: string; readonly binds: readonly string[] }>;

export function createNamespaceContainment(
  bindsFor: Binds = async () => ({ state: "", binds: [] }),
  keep = keepStarter,
): Containment {
  let last: { readonly key: string; readonly starter: KeptStarter } | undefined;
  const starterFor = async (cwd: string) => {
    const { state, binds } = await bindsFor(cwd);
    const key = JSON.stringify([state, binds]);
    if (last?.key !== key) {
      last?.starter.close();
      last = { key, starter: keep({ enter: [BWRAP, ...MOUNTS, ...binds, ...BOUND, "--"], makes_user: !isRoot() }) };
    }
    return { binds, starter: last.starter };
  };
  return {
    name: "pid_namespace",
    start: async (argv, place) => {
      const { binds, starter } = await starterFor(place.cwd);
      const running = await starter.start(argv, place, "init");
      if (running === null) return startChild(binds, argv, place);
      return "fault" in running ? running : contained(running);
    },
    hold: async (argv, place) => {
      const { starter } = await starterFor(place.cwd);
      const running = await starter.start(argv, place, "init", "at_gate");
      if (running === null || "fault" in running || running.gate === null) return null;
      return { contained: contained(running), gate: running.gate };
    },
  };
}

const isRoot = (): boolean => process.getuid?.() === 0;

function contained({ pid, stdout, stderr, ended, gone, kill, unref }: Running): Contained {
  const finish = async () => {
    kill();
    const isLeft = await Promise.race([gone, sleep(AFTER_KILL_MS, true, { ref: false })]);
    if (isLeft === true) unref();
  };
  let isGoneAlready = false;
  void gone.then(() => {
    isGoneAlready = true;
  });
  return {
    stdout,
    stderr,
    ended,
    left: async () => (isGoneAlready ? [] : processesBelow(pid)),
    stop: async (grace_ms) => {
      if (signalGroup(pid, "SIGTERM")) await isGone(pid, grace_ms, isProcess(pid));
      await finish();
      const ending = await Promise.race([ended, KILLED]);
      return "fault" in ending ? KILLED : ending;
    },
    clear: finish,
  };
}

/** Where nothing starts it from within. */
async function startChild(
  binds: readonly string[],
  argv: Argv,
  place: ProcessContext,
): Promise<Contained | NeverBegan> {
  const around = [BWRAP, ...SPACE, ...binds, ...BOUND, ...INFORMED, "--chdir", place.cwd, "--", ...BASH] as const;
  const started = await spawnDetached([...around, ...argv], place, [...INIT_STDIO]);
  if ("fault" in started) return started;
  const { child } = started;
  const init = initOf(child);
  const end = async (grace_ms: number | null) => {
    const pid = await Promise.race([init, sleep(AFTER_KILL_MS, null, { ref: false })]);
    if (pid !== null && grace_ms !== null && signalGroup(pid, "SIGTERM")) await isGone(pid, grace_ms, isProcess(pid));
    if (pid === null) child.kill("SIGKILL");
    else if (isRunning(child)) signalProcess(pid, "SIGKILL");
  };
  const left = async () => {
    const pid = await Promise.race([init, sleep(AFTER_KILL_MS, null, { ref: false })]);
    return pid === null ? [] : processesBelow(pid);
  };
  return underInit(child, { end, left });
}

export const namespaceContainment = createNamespaceContainment();

const isProcess = (pid: number) => (one: { readonly pid: number }) => one.pid === pid;

/** `end` ends INIT; before, with a grace period, what INIT has started. */
type UnderInit = Pick<Contained, "left"> & { readonly end: (grace_ms: number | null) => Promise<void> };

export function underInit(child: ChildProcess, { end, left }: UnderInit): Contained {
  const report = reportOf(child);
  const finish = async (grace_ms: number | null) => {
    await end(grace_ms);
    // INIT ends after all other processes, and what has started it after INIT.
    await Promise.race([report.closed, sleep(AFTER_KILL_MS, undefined, { ref: false })]);
    child.unref();
    for (const index of [REPORT, INFO]) pipeOf(child, index).destroy();
  };
  return {
    stdout: pipeOf(child, 4),
    stderr: pipeOf(child, 5),
    ended: report.ended,
    left,
    stop: async (grace_ms) => {
      await finish(grace_ms);
      return report.ending() ?? KILLED;
    },
    clear: () => finish(null),
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** The pid of INIT outside of the namespace, null when INIT never started. */
function initOf(child: ChildProcess): Promise<number | null> {
  const stream = pipeOf(child, INFO);
  return new Promise((resolve) => {
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk;
      const pid = /"child-pid": (\d+)\D/.exec(text)?.[1];
      if (pid !== undefined) resolve(Number(pid));
    });
    stream.once("close", () => resolve(null));
  });
}

function reportOf(child: ChildProcess) {
  const { promise: ended, resolve } = Promise.withResolvers<Ending | NeverBegan>();
  let text = "";
  const ending = () => endingIn(text);
  const stream = pipeOf(child, REPORT);
  stream.on("data", (chunk: Buffer) => {
    text += chunk;
    const told = ending();
    if (told !== null) resolve(told);
  });
  const closed = new Promise<void>((settle) => stream.once("close", settle));
  void closed.then(() => resolve(text.startsWith("began\n") ? KILLED : { fault: text.trim() }));
  return { ended, closed, ending };
}

function endingIn(report: string): Ending | null {
  const [, words, digits] = /^began\n(.*?)ended (\d+)\n$/s.exec(report) ?? [];
  if (digits === undefined) return null;
  const code = Number(digits);
  const signal = words === "" ? null : signalOf(code - 128);
  return signal === null ? { exit_code: code, signal } : { exit_code: null, signal };
}
