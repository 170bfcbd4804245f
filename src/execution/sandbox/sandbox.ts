// Describes what a command sees of the machine, what it may do there and how its processes are kept together. A description is plain data,
// which the launcher turns into arguments. There are three: a plain step, a command of an agent (sandbox-of-config.ts), and an empty machine.

/** A program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** Nothing of the command has run. */
export type NeverBegan = { readonly fault: string };

/** Where a command runs, beside its sandbox. */
export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** An account that commands run as. */
export type StepAccount = { readonly uid: number; readonly gid: number };

/** Put before the arguments of a program, `enter` runs it in a network of its own. No other network has the id. */
export type NetworkEntry = { readonly id: number; readonly enter: readonly string[] };

/** Absolute paths; those that do not exist are left out. */
export type Sandbox = {
  /** Empty for it: directories without entries, files and sockets as /dev/null. */
  readonly hidden: readonly string[];
  /** Also from a text that names sudo or its like, which have no effect then. */
  readonly hides_always: boolean;
  /** These with all below, except what is in `read_only`; everything else can only be read. "all": what its account may write. */
  readonly writable: "all" | readonly string[];
  readonly read_only: readonly string[];
  /**
   * What is not that of the machine. "home": /tmp, /run and the home directory, which are empty and writable; where all is writable, it
   * has none of these. "machine": the mounts, the name of the host and what processes share, so that a machine can be made of them.
   */
  readonly own: "nothing" | "home" | "machine";
  /** Commands with the same one share what is their own; null: no other command does. */
  readonly run: string | null;
  /** "none": nothing but a loopback. An entry: a network in which orch listens, and lets out what the contract names. */
  readonly network: "machine" | "none" | NetworkEntry;
  /** What keeps its processes together, so that they end together: a group can be left (setsid), a namespace cannot (D-036, D-061). */
  readonly processes: "process_group" | "pid_namespace";
  /** Only where orch runs as root; null: the account of orch. */
  readonly account: StepAccount | null;
  readonly limits: StepLimits;
  /** Whether its launcher is killed with the process that has started it. In a pid namespace it always is. */
  readonly ends_with_orch: boolean;
};

/** In MiB, of each process: `memory_mb` what it has for itself, `file_mb` the length of a file. Null is no limit. */
export type StepLimits = {
  readonly memory_mb: number | null;
  readonly file_mb: number | null;
  /** Of the whole account. Has no effect on root. */
  readonly processes: number | null;
};

export const NO_LIMITS: StepLimits = { memory_mb: null, file_mb: null, processes: null };

/** More than ordinary work takes, and less than what makes a machine unusable. */
export const DEFAULT_LIMITS = { memory_mb: 8_192, file_mb: 32_768, processes: 4_096 } as const;

/** A plain step where nothing is known of the machine: it sees and may do what orch does. */
export const PLAIN_STEP: Sandbox = {
  hidden: [],
  hides_always: false,
  writable: "all",
  read_only: [],
  own: "nothing",
  run: null,
  network: "machine",
  processes: "process_group",
  account: null,
  limits: NO_LIMITS,
  ends_with_orch: false,
};

/** The control of a check: what a plain step is kept in, with a machine of its own in it, which holds nothing and reaches nothing. */
export const emptyMachine = (plain: Sandbox): Sandbox => ({
  ...plain,
  hides_always: true,
  own: "machine",
  network: "none",
  ends_with_orch: true,
});

/** Sees the machine as it is, without what is hidden, and writes nothing. */
export const readOnly = (sandbox: Sandbox): Sandbox => ({
  ...sandbox,
  writable: [],
  own: "nothing",
  run: null,
  account: null,
});

/** Whether it writes only what it names, in a space that is made for it. */
export const isConfined = ({ writable }: Sandbox): boolean => writable !== "all";

// Limits are set by bash's ulimit (D-071). The process that starts commands sets the default ones for itself, because every command
// inherits them at no cost; command-runner.ts also disables core files there. Others are set for each command.

/** A bash sets the limits and becomes `argv` by exec: no further process, and a limit that cannot be set fails it. */
export function limited(argv: Argv, limits: StepLimits, isOfAgent = false): Argv {
  const all = settingsOf(limits, (name) => limits[name] !== DEFAULT_LIMITS[name]);
  const settings = isOfAgent ? [...all, ...halfOf(limits)] : all;
  if (settings.length === 0) return argv;
  return ["/bin/bash", "--noprofile", "--norc", "-p", "-c", [...settings, 'exec "$0" "$@"'].join(" && "), ...argv];
}

/** The other half is for what starts beside it: the kernel counts the processes of the account. A lower limit stays. */
const halfOf = ({ processes }: StepLimits): string[] =>
  processes === null ? [] : [`{ ulimit -u ${Math.ceil(processes / 2)} 2>/dev/null || :; }`];

/** Bash that sets the default limits. Where the account has a lower one, that stays. */
export const defaultLimits = (limits: StepLimits): string =>
  settingsOf(limits, (name) => limits[name] === DEFAULT_LIMITS[name])
    .map((setting) => `${setting} 2>/dev/null || :; `)
    .join("");

const KILOBYTES = 1_024;

function settingsOf(limits: StepLimits, isMeant: (name: keyof StepLimits) => boolean): string[] {
  const { memory_mb, file_mb, processes } = limits;
  return [
    ...(memory_mb === null || !isMeant("memory_mb") ? [] : [`ulimit -d ${memory_mb * KILOBYTES}`]),
    ...(file_mb === null || !isMeant("file_mb") ? [] : [`ulimit -f ${file_mb * KILOBYTES}`]),
    ...(processes === null || !isMeant("processes") ? [] : [`ulimit -u ${processes}`]),
  ];
}
