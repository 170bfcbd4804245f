// Brings commits to the disk together: one flush of the write-ahead log serves all commits that were made before it began
// (D-279).

export type SharedFlush = {
  /** Resolves when all that is committed now is on the disk. Rejects for ever once a flush has failed. */
  readonly afterCommit: () => Promise<void>;
  /** The same without a flush of its own, for what was read: nothing is shown that a loss of power could take back. */
  readonly settled: () => Promise<void>;
};

/** `flush` resolves when what was written before it was called is on the disk. It is never called twice at once. */
export function createSharedFlush(flush: () => Promise<void>): SharedFlush {
  const onDisk = Promise.resolve();
  let current = onDisk;
  let next: Promise<void> | null = null;

  // After a flush that failed, `current` stays rejected: the system may have dropped what it could not write, and a later
  // flush that succeeds would not bring it back.
  const start = (): Promise<void> => {
    next = null;
    current = flush();
    current.then(settle, () => undefined);
    return current;
  };
  const settle = (): void => {
    if (next === null) current = onDisk;
  };

  return {
    afterCommit: () => {
      if (current === onDisk) return start();
      next ??= current.then(start);
      return next;
    },
    settled: () => next ?? current,
  };
}
