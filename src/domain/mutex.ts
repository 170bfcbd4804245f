// Mutual exclusion within this process: one holder at a time, in the order of asking.
// An acquisition costs one microtask when the mutex is free, and one round of the event loop when it is held.

export type Mutex = {
  readonly acquire: () => Promise<void>;
  readonly release: () => void;
  /** Runs `work` as the holder. When `signal` has aborted by the time of its turn, it throws the signal's reason instead. */
  readonly run: <T>(work: () => Promise<T> | T, signal?: AbortSignal) => Promise<T>;
};

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let isHeld = false;

  const acquire = async (): Promise<void> => {
    if (isHeld) await new Promise<void>((admit) => waiting.push(admit));
    isHeld = true;
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) isHeld = false;
    // Not at once: a long queue of holders would keep everything else from the event loop.
    else setImmediate(next);
  };
  const run: Mutex["run"] = async (work, signal) => {
    await acquire();
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  };
  return { acquire, release, run };
}
