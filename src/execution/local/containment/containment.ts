// The interface that keeps a command together with all processes that it starts, so that they end together: a process group,
// or a pid namespace that no process can leave (D-036, D-061).
import type { Readable } from "node:stream";

/** One of the two is null: `exit_code` when a signal ended the command. */
export type Ending = { readonly exit_code: number | null; readonly signal: NodeJS.Signals | null };

/** Nothing of the command has run. */
export type NeverBegan = { readonly fault: string };

export type Contained = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the command itself has ended, even if its child processes still run. Never rejects. */
  readonly ended: Promise<Ending | NeverBegan>;
  /** SIGTERM, then SIGKILL after `grace_ms`. Resolves when no process is left, at the latest 2 s after SIGKILL. */
  readonly stop: (grace_ms: number) => Promise<Ending>;
  /** Kills the remaining processes of a command that has ended. */
  readonly clear: () => Promise<void>;
};

export type ProcessContext = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

export type Containment = {
  readonly name: "process_group" | "pid_namespace";
  readonly start: (argv: readonly [string, ...string[]], place: ProcessContext) => Promise<Contained | NeverBegan>;
};

/**
 * What a command cannot see or change: hidden directories are empty, hidden files and sockets are /dev/null, and `read_only`
 * paths cannot be written, except the `writable` directories below them. Absolute paths; those that do not exist are left out.
 */
export type Confinement = {
  readonly hidden: readonly string[];
  readonly read_only: readonly string[];
  readonly writable?: readonly string[];
};

/** No file of the machine can be written. */
export const readOnly = ({ hidden, read_only }: Confinement, writable: readonly string[] = []): Confinement => ({
  hidden,
  read_only: [...read_only, "/"],
  writable,
});

export type Confine = (containment: Containment, confinement: Confinement) => Containment;
