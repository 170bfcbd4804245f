// Limits of one step, set by bash's ulimit (D-071). By default there are none. command-runner.ts disables core files in any
// case.

/** `memory_mb` is address space and `file_mb` the length of a file, in MiB, both of each process; null is no limit. */
export type StepLimits = {
  readonly memory_mb: number | null;
  readonly file_mb: number | null;
  /** Of the whole account. Has no effect on root. */
  readonly processes: number | null;
};

export const NO_LIMITS: StepLimits = { memory_mb: null, file_mb: null, processes: null };

type Argv = readonly [string, ...string[]];

/** A bash sets the limits and becomes `argv` by exec: no further process, and a limit that cannot be set fails it. */
export function limited(argv: Argv, { memory_mb, file_mb, processes }: StepLimits): Argv {
  const settings = [
    ...(memory_mb === null ? [] : [`ulimit -v ${memory_mb * 1024}`]),
    ...(file_mb === null ? [] : [`ulimit -f ${file_mb * 1024}`]),
    ...(processes === null ? [] : [`ulimit -u ${processes}`]),
  ];
  if (settings.length === 0) return argv;
  return ["/bin/bash", "--noprofile", "--norc", "-p", "-c", [...settings, 'exec "$0" "$@"'].join(" && "), ...argv];
}
