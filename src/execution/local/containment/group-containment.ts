// Keeps a command in its own process group. A process that moves to another session (setsid) leaves it and is not ended.
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contained, Containment, Ending, NeverBegan, ProcessContext } from "./containment.ts";
import { gateOf } from "./gate.ts";
import { signalGroup, stopGroup } from "./process-group.ts";
import { type Argv, pipeOf, type Started, spawnDetached } from "./spawn-detached.ts";

const NODE_NOTICE_MS = 100;

/** Records a group while it runs; the returned function removes the record. */
export type NoteGroup = (pid: number) => () => void;

export type SpawnGroup = {
  readonly spawn: (argv: Argv, place: ProcessContext) => Promise<Started | NeverBegan>;
  /** With one more pipe, the last of its files. Null where none can be started at once. */
  readonly spawnAtGate?: (argv: Argv, place: ProcessContext) => Promise<Started | NeverBegan | null>;
};

const PIPES = ["ignore", "pipe", "pipe"] as const;
const plain: SpawnGroup = {
  spawn: (argv, place) => spawnDetached(argv, place, [...PIPES]),
  spawnAtGate: (argv, place) => spawnDetached(argv, place, [...PIPES, "pipe"]),
};

export function createGroupContainment(
  noteGroup: NoteGroup = () => () => {},
  { spawn, spawnAtGate }: SpawnGroup = plain,
): Containment {
  const contained = ({ child, pid }: Started): Contained => {
    const strikeOut = noteGroup(pid);
    const ended = new Promise<Ending>((resolve) => child.once("exit", () => resolve(endingOf(child))));
    return {
      stdout: pipeOf(child, 1),
      stderr: pipeOf(child, 2),
      ended,
      stop: async (grace_ms) => {
        await stopGroup(pid, grace_ms);
        strikeOut();
        // The kernel may know of the end a moment before Node does.
        await Promise.race([ended, sleep(NODE_NOTICE_MS, undefined, { ref: false })]);
        // What waits for the command is in another group (D-311), and the command may have stopped it (SIGSTOP).
        child.kill("SIGKILL");
        // Only a process that survives SIGKILL is left, and this server must be able to exit before it.
        child.unref();
        return endingOf(child);
      },
      clear: async () => {
        signalGroup(pid, "SIGKILL");
        strikeOut();
      },
    };
  };
  return {
    name: "process_group",
    start: async (argv, place) => {
      const started = await spawn(argv, place);
      return "fault" in started ? started : contained(started);
    },
    hold: async (argv, place) => {
      const started = (await spawnAtGate?.(argv, place)) ?? null;
      if (started === null || "fault" in started) return null;
      return { contained: contained(started), gate: gateOf(started.child.stdio.at(-1)) };
    },
  };
}

/** A shell's exit code for signals that are routine: an interrupt, or a reader that has closed the pipe. */
function endingOf({ exitCode: exit_code, signalCode: signal }: ChildProcess): Ending {
  if (signal === "SIGINT") return { exit_code: 130, signal: null };
  if (signal === "SIGPIPE") return { exit_code: 141, signal: null };
  return { exit_code, signal };
}
