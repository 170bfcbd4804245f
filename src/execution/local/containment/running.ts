// A command that runs, however it was started: as a child of this process, or by the starter.
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { Ending, NeverBegan } from "./containment.ts";
import { gateOf, type ShellGate } from "./gate.ts";
import { pipeOf } from "./spawn-detached.ts";

export type Running = {
  /** Of the command, or of process 1 of its namespace. It leads its group. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Rejects when what started it was lost. */
  readonly ended: Promise<Ending | NeverBegan>;
  /** Resolves when the process that was started for it has been waited for, or is the last and ends by itself. */
  readonly gone: Promise<void>;
  /** Null where it has none. */
  readonly gate: ShellGate | null;
  /** SIGKILL, to the process that was started for it. */
  readonly kill: () => void;
  /** The event loop no longer waits for it. */
  readonly unref: () => void;
};

export function runningChild(child: ChildProcess, pid: number, gate?: "at_gate"): Running {
  const ended = new Promise<Ending>((resolve) =>
    child.once("exit", (exit_code, signal) => resolve(routine({ exit_code, signal }))),
  );
  return {
    pid,
    stdout: pipeOf(child, 1),
    stderr: pipeOf(child, 2),
    ended,
    gone: ended.then(() => undefined),
    gate: gate === undefined ? null : gateOf(child.stdio.at(-1)),
    kill: () => void child.kill("SIGKILL"),
    unref: () => child.unref(),
  };
}

/** A shell's exit code for signals that are routine: an interrupt, or a reader that has closed the pipe. */
export function routine({ exit_code, signal }: Ending): Ending {
  if (signal === "SIGINT") return { exit_code: 130, signal: null };
  if (signal === "SIGPIPE") return { exit_code: 141, signal: null };
  return { exit_code, signal };
}
