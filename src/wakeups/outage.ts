// What is logged of pg-boss: an outage when it begins and when it is over, its faults in between only at the level of debugging, and each
// kind of warning once in a while.
import type { WakeupLog } from "./limits.ts";

/** Until the first look at what has failed; twice as long until each that follows. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 30_000;
/** What works asks every two seconds, so by then it has asked. */
const QUIET_MS = 6_000;
/** Of one kind of warning, which pg-boss may repeat every few seconds. */
const WARN_AGAIN_MS = 3_600_000;

export function createOutage(log: WakeupLog) {
  let isOut = false;
  let faultAt = 0;
  let looks = 0;
  const warnedAt = new Map<string, number>();
  return {
    /** When to look, in milliseconds. */
    fault: (error: unknown): number => {
      faultAt = performance.now();
      if (isOut) log.debug({ err: error }, "wakeups still do not work");
      else log.warn({ err: error }, "wakeups do not work; what waits is found by the seldom looks at everything");
      isOut = true;
      return Math.min(FIRST_LOOK_MS * 2 ** looks, LONGEST_LOOK_MS);
    },
    /** When to look once more; null where that is not needed. */
    lookedWell: (): number | null => {
      looks = 0;
      if (!isOut) return null;
      if (performance.now() - faultAt < QUIET_MS) return QUIET_MS;
      isOut = false;
      log.info({}, "wakeups work again");
      return null;
    },
    lookedBad: (): void => {
      looks += 1;
    },
    warning: (message: string, data: object): void => {
      const kind = message.replaceAll(/\d+/g, "");
      if (performance.now() - (warnedAt.get(kind) ?? -WARN_AGAIN_MS) < WARN_AGAIN_MS) return;
      warnedAt.set(kind, performance.now());
      log.warn({ data }, `pg-boss: ${message}`);
    },
  };
}
