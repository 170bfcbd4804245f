// A duty of the only server: again and again, at most once at a time. Woken while it runs, it runs once more.
import { pauseAfter, type WakeupLog } from "./limits.ts";
import type { Later } from "./timers.ts";

type Deps = {
  readonly name: string;
  readonly every_ms: number;
  readonly act: (signal: AbortSignal) => Promise<void>;
  readonly later: Later;
  readonly log: WakeupLog;
  readonly signal: AbortSignal;
};

export function createMemoryDuty({ name, every_ms, act, later, log, signal }: Deps) {
  let running: Promise<void> | null = null;
  let isWanted = false;
  let failures = 0;
  let unset: () => void = () => undefined;

  async function runOnce(): Promise<void> {
    try {
      await act(signal);
      failures = 0;
    } catch (error) {
      log.error({ duty: name, err: error }, "a duty has failed; it is tried again");
      failures += 1;
    }
  }

  async function run(): Promise<void> {
    unset();
    do {
      isWanted = false;
      await runOnce();
    } while (isWanted && failures === 0 && !signal.aborted);
    running = null;
    if (!signal.aborted) unset = later(wake, failures === 0 ? every_ms : Math.min(every_ms, pauseAfter(failures - 1)));
  }

  const wake = (): void => {
    if (signal.aborted) return;
    isWanted = true;
    running ??= run();
  };
  return { wake, idle: () => running ?? Promise.resolve() };
}
