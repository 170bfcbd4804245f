// The interface that keeps a command together with all processes that it starts, so that they end together: a process group,
// or a pid namespace that no process can leave (D-036, D-061).
import type { Readable } from "node:stream";
import type { FoundProcess } from "./left-processes.ts";

/** One of the two is null: `exit_code` when a signal ended the command. A real-time signal has a number only. */
export type Ending = { readonly exit_code: number | null; readonly signal: NodeJS.Signals | `signal ${number}` | null };

/** Nothing of the command has run. */
export type NeverBegan = { readonly fault: string };

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

export type ProcessContext = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Set where its parent is killed with the process that started it. */
  readonly ends_with_orch?: true | undefined;
};

export type Containment = {
  readonly name: "process_group" | "pid_namespace";
  /** The last argument is the script. */
  readonly start: (argv: readonly [string, ...string[]], place: ProcessContext) => Promise<Contained | NeverBegan>;
};

/** An account that commands run as. */
export type StepAccount = { readonly uid: number; readonly gid: number };

/** Put before the arguments of a program, `enter` runs it in a network of its own. No other network has the id. */
export type NetworkEntry = { readonly id: number; readonly enter: readonly string[] };

/**
 * What a command sees of the machine and what it may write (D-248). Absolute paths; those that do not exist are left out.
 * `hidden` is empty for it: directories without entries, files and sockets as /dev/null. It writes `writable` with all below,
 * except what is in `read_only`; everything else can only be read.
 */
export type Confinement = {
  readonly hidden: readonly string[];
  readonly read_only: readonly string[];
  readonly writable: readonly string[];
  /** Whether /tmp, /run and the home directory are its own, empty and writable, or those of the machine, which it can read. */
  readonly private: boolean;
  /** Commands with the same one share their own /tmp, /run and home directory; null: no other command does. */
  readonly run: string | null;
  /** Only where this process runs as root; null: the account of this process. */
  readonly account: StepAccount | null;
  /** Without it, the network of the machine. */
  readonly network?: NetworkEntry;
};

/** Sees the machine as it is, and writes nothing. */
export const readOnly = (confinement: Confinement): Confinement => ({
  ...confinement,
  writable: [],
  private: false,
  run: null,
  account: null,
});

export type Confine = (confinement: Confinement) => Containment;
