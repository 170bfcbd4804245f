// Launches a command in its sandbox: turns the description into arguments, starts a small shell that waits until the command may begin, is
// its parent and says how it ended (D-275), and ends what the command leaves. The command gets its script as it is. Its parent is its own,
// so that a command which ends its parent ends no command of another task (D-311).
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  AFTER_KILL_MS,
  type FoundProcess,
  isGone,
  livingProcesses,
  processesBelow,
  processesMoved,
  signalGroup,
  signalOf,
  signalProcess,
  stopGroup,
} from "./processes.ts";
import {
  BASH,
  BOUND,
  entering,
  pipeOf,
  programIn,
  SHELL,
  spawnDetached,
  unsharing,
  unsharingPids,
  withFewRights,
} from "./programs.ts";
import { type Argv, isConfined, limited, type NeverBegan, type Place, type Sandbox } from "./sandbox.ts";

/** One of the two is null: `exit_code` when a signal ended the command. A real-time signal has a number only. */
export type Ending = { readonly exit_code: number | null; readonly signal: NodeJS.Signals | `signal ${number}` | null };

/** A command with all processes that it starts, which end together. */
export type Contained = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** It waits until then, and has run nothing. */
  readonly begin: () => void;
  /** Resolves when the command itself has ended, even if its child processes still run. */
  readonly ended: Promise<Ending | NeverBegan>;
  /** SIGTERM, then SIGKILL after `grace_ms`. Resolves when no process is left, at the latest 3 s after SIGKILL. */
  readonly stop: (grace_ms: number) => Promise<Ending>;
  /** The processes that a command has left which has ended, as far as they can be found. */
  readonly left: () => Promise<readonly FoundProcess[]>;
  /** Kills the remaining processes of a command that has ended, and the launcher of one that has not begun. */
  readonly clear: () => Promise<void>;
};

/** The last argument is the script. */
export type Launch = (sandbox: Sandbox, argv: Argv, place: Place) => Promise<Contained | NeverBegan>;

/** Records a group while it runs; the returned function removes the record. Its command begins once it is recorded. */
export type NoteGroup = (pid: number, launcher: ChildProcess) => (() => void) | Promise<() => void>;

/** A space that was made for a sandbox, to be entered. `release` is called once, when its command has ended or has not begun. */
export type MadeSpace = {
  /** What enters the network that it was made in; to be put before what enters the space. */
  readonly network: readonly string[];
  readonly namespaces: readonly { readonly kind: "user" | "mount"; readonly fd: number }[];
  /** Variables that differ in it. */
  readonly env: Readonly<Record<string, string>>;
  /** What is hidden and has appeared since the space was made. A directory ends with a slash. */
  readonly covers: readonly string[];
  /** A table of mounts that close files of the kernel. */
  readonly closed: string;
  /** What refuses system calls to the command. */
  readonly filter: readonly string[];
  readonly release: () => void;
};

/** Makes what keeps files from a command. Rejects where that is unknown. */
export type MakeSpaces = {
  /** Null where nothing is to be hidden from the script. */
  readonly spaceFor: (sandbox: Sandbox, script: string, place: Place) => Promise<MadeSpace | NeverBegan | null>;
  /** The same as arguments of bubblewrap. */
  readonly bindsFor: (sandbox: Sandbox, cwd: string) => Promise<readonly string[]>;
};

type Means = {
  readonly noteGroup?: NoteGroup;
  /** Without them, a command from which something is kept does not run. */
  readonly spaces?: MakeSpaces;
  /** What the launcher of a group does first. */
  readonly first?: string;
};

/**
 * File 0 is read for the beginning, 2 says what happens, and the command writes to 3 and 4: what stays outside of a namespace keeps the
 * first ones open. Then come further files.
 */
const [REPORT, OUT, ERR, FURTHER] = [2, 3, 4, 5];

/** The script is not an argument: `pgrep -f` would find it in the launcher. */
const SCRIPT = "ORCH_LAUNCHED_SCRIPT";

/** Of process 1 of a pid namespace. */
const LAUNCH_INSIDE = programIn(import.meta.dirname, "launch-inside.sh");
/** The command leads a session and a process group, whose number is said before it begins. */
const LAUNCH_GROUP = programIn(import.meta.dirname, "launch-group.sh");
/** It keeps the namespace open after the end of the command, because last lines may still be written. */
export const INIT = `${LAUNCH_INSIDE}read -r orch_line`;
/** Whether the arguments are those of a namespace of orch, or of what makes one. */
export const isLauncherOfNamespace = (args: string): boolean => args.includes(INIT);
const ENTER_HIDDEN = programIn(import.meta.dirname, "enter-hidden.sh");
const ENTER_CONFINED = `${programIn(import.meta.dirname, "enter-confined.sh")}${LAUNCH_INSIDE}outlast`;

const BWRAP = "/usr/bin/bwrap";
// A session of its own makes INIT the leader of the group that receives SIGTERM; the signal has no effect on process 1.
const APART = "--dev-bind / / --proc /proc --unshare-pid --as-pid-1 --new-session --die-with-parent".split(" ");

export function createLaunch({ noteGroup = () => () => {}, spaces = NO_SPACES, first = "" }: Means = {}): Launch {
  return async (sandbox, command, place) => {
    const argv = limited(onOwnMachine(sandbox, command), sandbox.limits, isConfined(sandbox));
    if (sandbox.processes === "pid_namespace" && !isConfined(sandbox)) {
      const binds = await spaces.bindsFor(sandbox, place.cwd).catch(unknown);
      if ("fault" in binds) return binds;
      const around = [BWRAP, ...APART, ...binds, "--info-fd", String(FURTHER), "--chdir", place.cwd, "--"];
      return kept(await start([...around, ...SHELL, INIT, "orch"], argv, place, ["pipe"]), inBwrap);
    }
    const space = await spaces.spaceFor(sandbox, command.at(-1) ?? "", place).catch(unknown);
    if (space !== null && "fault" in space) return space;
    const around = [
      ...(sandbox.ends_with_orch ? BOUND : []),
      ...wordsBefore(sandbox, space, { first, cwd: place.cwd }),
    ];
    const inside = space === null ? place : { cwd: "/", env: { ...place.env, ...space.env } };
    const launched = await start(
      around,
      argv,
      inside,
      space?.namespaces.map(({ fd }) => fd),
    );
    const contained = kept(launched, isConfined(sandbox) ? inPids : inGroup(noteGroup, place.env["ORCH_TASK_ID"]));
    if (space !== null && "fault" in contained) space.release();
    else if (space !== null && "ended" in contained) void contained.ended.then(space.release);
    return contained;
  };
}

const NO_SPACES: MakeSpaces = {
  spaceFor: async (sandbox) =>
    sandbox.hidden.length > 0 || isConfined(sandbox) ? { fault: "commands are not confined here" } : null,
  bindsFor: async () => [],
};

const unknown = (error: unknown): NeverBegan => ({ fault: `cannot determine what to hide from it: ${String(error)}` });

/** A machine of its own is made within the sandbox. */
function onOwnMachine({ own, network }: Sandbox, argv: Argv): Argv {
  if (own !== "machine") return argv;
  const kinds = [...(["mount", "ipc", "uts", "cgroup"] as const), ...(network === "none" ? (["net"] as const) : [])];
  return [...BOUND, ...unsharing(kinds, "itself", "--"), ...argv];
}

/** What a command is started by: what enters its space, what launches it, and what takes its rights. */
function wordsBefore(
  sandbox: Sandbox,
  space: MadeSpace | null,
  { first, cwd }: { first: string; cwd: string },
): string[] {
  if (space === null) return [...SHELL, `${first}${LAUNCH_GROUP}`, "orch"];
  const files = space.namespaces.map(({ kind }, at) => ({ kind, file: `/proc/self/fd/${FURTHER + at}` }));
  const enter = [...space.network, ...entering(files)];
  if (!isConfined(sandbox)) return [...enter, ...SHELL, `${ENTER_HIDDEN}${first}${LAUNCH_GROUP}`, "orch", cwd];
  const given = [space.closed, String(space.covers.length), ...space.covers, cwd];
  const limits = [...withFewRights(sandbox.account), ...space.filter];
  return [...enter, ...unsharingPids, ...BASH, ENTER_CONFINED, "orch", ...given, ...limits];
}

type Launched = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The number of the group, once there is a process for it; null when there will be none. */
  readonly group: Promise<number | null>;
  readonly begin: () => void;
  readonly ended: Promise<Ending | NeverBegan>;
  /** Null as long as the end is not known. */
  readonly ending: () => Ending | null;
  /** Whether the namespace of the command held no other process when it had ended. */
  readonly isAlone: () => boolean;
  /** Resolves when the launcher has ended, or was let go. */
  readonly closed: Promise<void>;
  /** The launcher ends where it waits, and the event loop no longer waits for it. */
  readonly letGo: () => Promise<void>;
};

const kept = (launched: Launched | NeverBegan, keep: (launched: Launched) => Contained): Contained | NeverBegan =>
  "fault" in launched ? launched : keep(launched);

/** `argv` ends with the script of the command, and `around` with what the text of the launcher expects. */
async function start(
  around: readonly string[],
  argv: Argv,
  { cwd, env }: Place,
  files: readonly (number | "pipe")[] = [],
): Promise<Launched | NeverBegan> {
  const words = [...around, ...argv.slice(0, -1)] as unknown as Argv;
  const place = { cwd, env: { ...env, [SCRIPT]: argv.at(-1) ?? "" } };
  const started = await spawnDetached(words, place, ["pipe", "ignore", "pipe", "pipe", "pipe", ...files]);
  if ("fault" in started) return started;
  const { child, pid } = started;
  const { stdin } = child;
  if (stdin === null) throw new TypeError("stdin of the process is no pipe");
  const report = pipeOf(child, REPORT);
  const group = Promise.withResolvers<number | null>();
  const ended = Promise.withResolvers<Ending | NeverBegan>();
  const closed = Promise.withResolvers<void>();
  let text = "";
  // It may have ended before it is to begin.
  stdin.on("error", () => undefined);
  report.on("data", (chunk: Buffer) => {
    text += chunk;
    const leader = /^ready (\d+)$/m.exec(text)?.[1];
    if (leader !== undefined) group.resolve(Number(leader));
    const ending = endingIn(text);
    if (ending !== null) ended.resolve(ending);
  });
  report.once("close", () => {
    group.resolve(null);
    ended.resolve(hasBegun(text) ? KILLED : { fault: text.trim() });
    closed.resolve();
  });
  return {
    child,
    pid,
    stdout: pipeOf(child, OUT),
    stderr: pipeOf(child, ERR),
    group: group.promise,
    begin: () => void stdin.write("\n"),
    ended: ended.promise,
    ending: () => endingIn(text),
    isAlone: () => text.endsWith(" alone\n"),
    closed: closed.promise,
    letGo: async () => {
      for (const one of [stdin, report]) one.destroy();
      child.unref();
      await closed.promise;
    },
  };
}

const KILLED: Ending = { exit_code: null, signal: "SIGKILL" };

const hasBegun = (report: string): boolean => /^began$/m.test(report);

function endingIn(report: string): Ending | null {
  const [, words, digits] = /^began\n(.*)^ended (\d+) \w+\n$/ms.exec(report) ?? [];
  if (digits === undefined) return null;
  const code = Number(digits);
  // A shell says nothing of SIGINT and SIGPIPE, which are routine: their exit code is that of a shell.
  if (words === "" || code <= 128) return { exit_code: code, signal: null };
  return { exit_code: null, signal: signalOf(code - 128) ?? `signal ${code - 128}` };
}

const NOTICE_MS = 1_000;
const UNKNOWN: Ending = { exit_code: null, signal: null };

/** Keeps a command in its own process group. A process that moves to another session (setsid) leaves it and is not ended. */
const inGroup =
  (noteGroup: NoteGroup, task_id: string | undefined) =>
  ({ child, stdout, stderr, group, begin, ended, ending, letGo }: Launched): Contained => {
    let strikeOut = () => {};
    const known = () => Promise.race([group, sleep(AFTER_KILL_MS, null, { ref: false })]);
    return {
      stdout,
      stderr,
      begin: () =>
        void group.then(async (pid) => {
          if (pid === null) return;
          strikeOut = await noteGroup(pid, child);
          if (child.killed) strikeOut();
          else begin();
        }),
      ended,
      left: async () => {
        const pid = await known();
        if (pid === null) return [];
        const members = signalGroup(pid, 0) ? ((await livingProcesses()) ?? []) : [];
        const moved = task_id === undefined ? [] : await processesMoved(pid, task_id);
        return [...members.filter((one) => one.group === pid), ...moved];
      },
      stop: async (grace_ms) => {
        const pid = await known();
        if (pid !== null) {
          // In its first moment it leads no group yet.
          if (ending() === null && !signalGroup(pid, 0)) signalProcess(pid, "SIGKILL");
          await stopGroup(pid, grace_ms);
        }
        const end = await Promise.race([ended, sleep(NOTICE_MS, UNKNOWN, { ref: false })]);
        strikeOut();
        // The command may have stopped its launcher (SIGSTOP). Only a process that survives SIGKILL is left.
        child.kill("SIGKILL");
        await letGo();
        return "fault" in end ? UNKNOWN : end;
      },
      clear: async () => {
        const pid = await known();
        if (pid !== null) signalGroup(pid, "SIGKILL");
        strikeOut();
        // Where it waits, the launcher ends by itself, and waits for what would have become the command.
        await letGo();
      },
    };
  };

/** Keeps a command in the pid namespace of a bubblewrap: when its first process, INIT, ends, the kernel ends all others. */
function inBwrap(launched: Launched): Contained {
  const { child } = launched;
  const init = initOf(child);
  const known = () => Promise.race([init, sleep(AFTER_KILL_MS, null, { ref: false })]);
  return underInit(launched, {
    end: async (grace_ms) => {
      const pid = await known();
      if (pid !== null && grace_ms !== null && signalGroup(pid, "SIGTERM"))
        await isGone(pid, grace_ms, (one) => one.pid === pid);
      if (pid === null) child.kill("SIGKILL");
      else if (child.exitCode === null && child.signalCode === null) signalProcess(pid, "SIGKILL");
    },
    left: async () => {
      const pid = await known();
      return pid === null ? [] : processesBelow(pid);
    },
  });
}

/** The pid of INIT outside of the namespace, null when INIT never started. */
function initOf(child: ChildProcess): Promise<number | null> {
  const stream = pipeOf(child, FURTHER);
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

/** Keeps a command in the pids that its launcher has made. Its group holds what waits for INIT, INIT, and what INIT has started. */
const inPids = (launched: Launched): Contained => {
  const { child, pid } = launched;
  return underInit(launched, {
    end: async (grace_ms) => {
      const isOfOrch = (member: { readonly pid: number; readonly parent: number }) =>
        member.pid === pid || member.parent === pid;
      if (grace_ms !== null && signalGroup(pid, "SIGTERM")) await isGone(pid, grace_ms, isOfOrch);
      child.kill("SIGKILL");
    },
    // INIT is its child.
    left: () => processesBelow(pid, 1),
  });
};

type UnderInit = {
  readonly left: Contained["left"];
  /** Ends INIT; before, with a grace period, what INIT has started. */
  readonly end: (grace_ms: number | null) => Promise<void>;
};

function underInit(launched: Launched, { end, left }: UnderInit): Contained {
  const { stdout, stderr, begin, ended, ending, isAlone, closed, letGo } = launched;
  const finish = async (grace_ms: number | null) => {
    await end(grace_ms);
    // INIT ends after all other processes, and what has started it after INIT.
    await Promise.race([closed, sleep(AFTER_KILL_MS, undefined, { ref: false })]);
    await letGo();
  };
  return {
    stdout,
    stderr,
    begin,
    ended,
    left: async () => (isAlone() ? [] : left()),
    stop: async (grace_ms) => {
      await finish(grace_ms);
      return ending() ?? KILLED;
    },
    // Alone, INIT ends by itself, and no process is left that could start another.
    clear: async () => (isAlone() ? letGo() : finish(null)),
  };
}
