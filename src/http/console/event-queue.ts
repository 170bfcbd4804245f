// What waits to be sent to one page. A page that reads slowly loses what waits for it, and hears that it has to read everything anew.

/** `cursor`: of a message. */
export type QueuedEvent = { readonly cursor: number | null; readonly text: string };

export type EventQueue = {
  readonly push: (event: QueuedEvent) => void;
  /** Everything may have changed. */
  readonly spill: () => void;
  /** All that waits; null when too much did, and it is lost. */
  readonly take: () => readonly QueuedEvent[] | null;
  /** Resolves when something waits, the time is over or the signal aborts. */
  readonly filled: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function createEventQueue(most: number): EventQueue {
  let waiting: QueuedEvent[] = [];
  let is_over = false;
  let wake = (): void => undefined;
  const spill = (): void => {
    is_over = true;
    waiting = [];
    wake();
  };
  return {
    spill,
    push: (event) => {
      if (is_over) return;
      if (waiting.length >= most) return spill();
      waiting.push(event);
      wake();
    },
    take: () => {
      const taken = is_over ? null : waiting;
      waiting = [];
      is_over = false;
      return taken;
    },
    filled: (ms, signal) =>
      new Promise((resolve) => {
        if (waiting.length > 0 || is_over || signal.aborted) return resolve();
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          wake = () => undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener("abort", done);
        wake = done;
      }),
  };
}
