// Keeps a command in its own pid namespace: when its first process ends, the kernel ends all others. The file system is unchanged except
// /proc, which shows only the namespace. Process 1 is the launcher of the command, INIT.
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contained, Containment } from "./containment.ts";
import { FIRST_FILE, KILLED, LAUNCH_INSIDE, type Launched, launch, SHELL } from "./launcher.ts";
import { processesBelow } from "./left-processes.ts";
import { AFTER_KILL_MS, isGone, signalGroup, signalProcess } from "./process-group.ts";
import { pipeOf } from "./spawn-detached.ts";

export const BWRAP = "/usr/bin/bwrap";
// A session of its own makes INIT the leader of the group that receives SIGTERM; the signal has no effect on process 1.
const SPACE = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--as-pid-1", "--new-session"];
const BOUND = ["--die-with-parent", "--info-fd", String(FIRST_FILE)];
/** It keeps the namespace open after the end of the command, because last lines may still be written. */
export const INIT = `${LAUNCH_INSIDE}read -r orch_line`;

/** Whether the arguments are those of a namespace of orch, or of what makes one. */
export const isNamespace = (args: string): boolean => args.includes(INIT);

/** The mounts of one command, as arguments of bubblewrap. */
export type Binds = (cwd: string) => Promise<readonly string[]>;

export function createNamespaceContainment(bindsFor: Binds = async () => []): Containment {
  return {
    name: "pid_namespace",
    start: async (argv, place) => {
      const binds = await bindsFor(place.cwd);
      const around = [BWRAP, ...SPACE, ...binds, ...BOUND, "--chdir", place.cwd, "--", ...SHELL, INIT, "orch"];
      const launched = await launch(around, argv, place, ["pipe"]);
      if ("fault" in launched) return launched;
      const { child } = launched;
      const init = initOf(child);
      const known = () => Promise.race([init, sleep(AFTER_KILL_MS, null, { ref: false })]);
      const end = async (grace_ms: number | null) => {
        const pid = await known();
        if (pid !== null && grace_ms !== null && signalGroup(pid, "SIGTERM"))
          await isGone(pid, grace_ms, isProcess(pid));
        if (pid === null) child.kill("SIGKILL");
        else if (isRunning(child)) signalProcess(pid, "SIGKILL");
      };
      const left = async () => {
        const pid = await known();
        return pid === null ? [] : processesBelow(pid);
      };
      return underInit(launched, { end, left });
    },
  };
}

export const namespaceContainment = createNamespaceContainment();

const isProcess = (pid: number) => (one: { readonly pid: number }) => one.pid === pid;

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** The pid of INIT outside of the namespace, null when INIT never started. */
function initOf(child: ChildProcess): Promise<number | null> {
  const stream = pipeOf(child, FIRST_FILE);
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

/** `end` ends INIT; before, with a grace period, what INIT has started. */
type UnderInit = Pick<Contained, "left"> & { readonly end: (grace_ms: number | null) => Promise<void> };

export function underInit(launched: Launched, { end, left }: UnderInit): Contained {
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
