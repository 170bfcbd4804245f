// Reports to a waiting caller how long it has waited, and the state so far. Hosts that give up after a silence keep waiting
// when they get progress.
import { setTimeout as sleep } from "node:timers/promises";

export type Progress = { readonly progress: number; readonly total: number; readonly message: string };

export type Reporting = {
  readonly every_ms: number;
  readonly total_seconds: number;
  readonly describe: () => Promise<string>;
  readonly report: (progress: Progress) => Promise<void>;
  /** Gets the error when a report fails; the work goes on. */
  readonly onFault: (error: unknown) => void;
};

/** The outcome of the work. No report follows it. */
export async function whileReporting<T>(work: Promise<T>, { onFault, ...reporting }: Reporting): Promise<T> {
  const over = new AbortController();
  const reported = reportUntil(over.signal, reporting).catch(onFault);
  try {
    return await work;
  } finally {
    over.abort();
    await reported;
  }
}

async function reportUntil(
  over: AbortSignal,
  { every_ms, total_seconds, describe, report }: Omit<Reporting, "onFault">,
) {
  const started = performance.now();
  for (;;) {
    // Rejects when the work is over, which ends the sleep.
    await sleep(every_ms, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const message = await describe();
    if (over.aborted) return;
    const waited = (performance.now() - started) / 1000;
    await report({ progress: Math.min(waited, total_seconds), total: total_seconds, message });
  }
}
