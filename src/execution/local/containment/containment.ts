// What keeps a command together with all it starts, so that it can be ended whole: a process group, or a pid namespace
// that nothing can leave (design: Execution). run-command.ts knows this interface only.
import type { Readable } from "node:stream";

/** One of the two is null: `exit_code` when a signal ended the command. */
export type Ending = { readonly exit_code: number | null; readonly signal: NodeJS.Signals | null };

/** Nothing of the command has run. */
export type NeverBegan = { readonly fault: string };

export type Contained = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Once the command itself has ended, whatever it has left behind. Never rejects. */
  readonly ended: Promise<Ending | NeverBegan>;
  /** SIGTERM, after `grace_ms` SIGKILL. Comes back when nothing is left, or 2 s after SIGKILL though something is. */
  readonly stop: (grace_ms: number) => Promise<Ending>;
  /** Kills what a command that has ended has left behind. */
  readonly clear: () => Promise<void>;
};

export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

export type Containment = {
  readonly name: "process_group" | "pid_namespace";
  readonly start: (argv: readonly [string, ...string[]], place: Place) => Promise<Contained | NeverBegan>;
};

/**
 * What is not there for a command, whatever it is: directories are empty for it, files and sockets are /dev/null, and what
 * is read-only it cannot change. Absolute paths; what does not exist is left out.
 */
export type Confinement = { readonly hidden: readonly string[]; readonly read_only: readonly string[] };

export type Confine = (containment: Containment, confinement: Confinement) => Containment;
