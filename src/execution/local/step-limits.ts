// Limits of one step, set by bash's ulimit (D-071). The process that starts commands sets the default ones for itself, because every
// command inherits them at no cost; command-runner.ts also disables core files there. Others are set for each command.
import type { Argv } from "./containment/spawn-detached.ts";

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
