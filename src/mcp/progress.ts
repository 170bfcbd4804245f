// Tells a caller who waits how long it has been, and what is known meanwhile. Hosts that give up after a silence keep
// waiting when they hear something.
import { setTimeout as sleep } from "node:timers/promises";

export type Progress = { readonly progress: number; readonly total: number; readonly message: string };

export type Telling = {
  readonly every_ms: number;
  readonly total_seconds: number;
  readonly describe: () => Promise<string>;
  readonly tell: (progress: Progress) => Promise<void>;
  /** Told of what went wrong with the telling; the work goes on. */
  readonly onFault: (error: unknown) => void;
};

/** The outcome of the work. Nothing is told after it. */
export async function whileTelling<T>(work: Promise<T>, { onFault, ...telling }: Telling): Promise<T> {
  const over = new AbortController();
  const told = tellUntil(over.signal, telling).catch(onFault);
  try {
    return await work;
  } finally {
    over.abort();
    await told;
  }
}

async function tellUntil(over: AbortSignal, { every_ms, total_seconds, describe, tell }: Omit<Telling, "onFault">) {
  const started = performance.now();
  for (;;) {
    // Rejects when it is over, which ends the waiting.
    await sleep(every_ms, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const message = await describe();
    if (over.aborted) return;
    const waited = (performance.now() - started) / 1000;
    await tell({ progress: Math.min(waited, total_seconds), total: total_seconds, message });
  }
}
