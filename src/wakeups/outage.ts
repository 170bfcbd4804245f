// An outage is logged when it begins and when it is over, and its faults in between only for those who debug.
import type { WakeupLog } from "./limits.ts";

/** Until the first look at what has failed; twice as long until each that follows. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 30_000;
/** What works asks every two seconds, so by then it has asked. */
const QUIET_MS = 6_000;

export type Outage = ReturnType<typeof createOutage>;

export function createOutage(log: WakeupLog) {
  let isOut = false;
  let faultAt = 0;
  let looks = 0;
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
  };
}
