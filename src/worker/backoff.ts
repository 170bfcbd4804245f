// Says how long after a failure something is tried again: twice as long after each one, up to a limit, and without a last
// attempt.

type Limits = {
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly first_ms: number;
  readonly longest_ms: number;
};

export function createBackoff({ now, first_ms, longest_ms }: Limits) {
  const failed = new Map<string, { readonly failures: number; readonly until: number }>();
  return {
    /** How often it has failed in a row, and the pause that follows. */
    fail: (id: string): { readonly failures: number; readonly pause_ms: number } => {
      const failures = (failed.get(id)?.failures ?? 0) + 1;
      const pause_ms = Math.min(first_ms * 2 ** (failures - 1), longest_ms);
      failed.set(id, { failures, until: now() + pause_ms });
      return { failures, pause_ms };
    },
    succeed: (id: string): void => void failed.delete(id),
    isDue: (id: string): boolean => (failed.get(id)?.until ?? 0) <= now(),
  };
}
