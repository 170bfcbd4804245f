// Launches a command: a small shell waits until it may begin, is its parent, and says how it ended (D-275). The command gets its script
// as it is. Its parent is its own, so that a command which ends its parent ends no command of another task (D-311).
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Ending, NeverBegan, ProcessContext } from "./containment.ts";
import { signalOf } from "./process-group.ts";
import { type Argv, pipeOf, spawnDetached } from "./spawn-detached.ts";

/**
 * A program in another language, from its file in the directory. The comment at its head is left out: the text of a shell that runs is
 * its argument, in which `pgrep -f` would find the words. For the script of the flow, build.ts puts the text in place of the call.
 */
export const programIn = (directory: string, name: string): string =>
  readFileSync(join(directory, name), "utf8").replace(/^(?:(?:#|\/\/).*\n)+/, "");

/** To be followed by one of the texts below, a name, and what the text expects before the words of the command. */
export const SHELL = ["/bin/sh", "-c"] as const;
/** For what the language of /bin/sh does not have. It starts in twice the time. */
export const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;

/**
 * File 0 is read for the beginning, 2 says what happens, and the command writes to 3 and 4: what stays outside of a namespace keeps the
 * first ones open. This is the number of the first further file.
 */
export const FIRST_FILE = 5;
const [REPORT, OUT, ERR] = [2, 3, 4];

/** The script is not an argument: `pgrep -f` would find it in the launcher. */
const SCRIPT = "ORCH_LAUNCHED_SCRIPT";

/** Of process 1 of a pid namespace. */
export const LAUNCH_INSIDE = programIn(import.meta.dirname, "launch-inside.sh");

/** The command leads a session and a process group, whose number is said before it begins. */
export const LAUNCH_GROUP = programIn(import.meta.dirname, "launch-group.sh");

export type Launched = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The number of the group, once there is a process for it; null when there will be none. */
  readonly group: Promise<number | null>;
  /** The command begins. */
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

const BOUND = ["/usr/bin/setpriv", "--pdeathsig", "KILL"] as const;

/** `argv` ends with the script of the command, and `around` with what the text of the launcher expects. */
export async function launch(
  around: readonly string[],
  argv: Argv,
  { cwd, env, ends_with_orch }: ProcessContext,
  files: readonly (number | "pipe")[] = [],
): Promise<Launched | NeverBegan> {
  const bound = ends_with_orch === true ? BOUND : [];
  const words = [...bound, ...around, ...argv.slice(0, -1)] as unknown as Argv;
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

export const KILLED: Ending = { exit_code: null, signal: "SIGKILL" };

const hasBegun = (report: string): boolean => /^began$/m.test(report);

function endingIn(report: string): Ending | null {
  const [, words, digits] = /^began\n(.*)^ended (\d+) \w+\n$/ms.exec(report) ?? [];
  if (digits === undefined) return null;
  const code = Number(digits);
  // A shell says nothing of SIGINT and SIGPIPE, which are routine: their exit code is that of a shell.
  if (words === "" || code <= 128) return { exit_code: code, signal: null };
  return { exit_code: null, signal: signalOf(code - 128) ?? `signal ${code - 128}` };
}
