// Looks every few seconds, and soon after an announcement (D-315): unfinished tasks that this process does not hold are
// claimed, and candidates without a question get their promotion (D-222). A commit whose response was lost leaves such
// records. One query a tick, tasks and candidates in turn.
import type { Timer } from "../ports.ts";

type Deps = {
  /** Each looks once and dispatches what it finds. */
  readonly looks: readonly (() => Promise<void>)[];
  readonly timer: Timer;
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly log: { error(details: object, message: string): void };
};

type Reconciler = { readonly start: () => void; readonly stop: () => void };

const TICK_MS = 2_500;
/** A long look is followed by a longer pause, so that thousands of queued tasks cost a twentieth of the time. */
const PAUSE_PER_LOOK = 20;
/** A look that waited for a database may have taken long. What a lost server has left is claimed within its lease and this. */
const LONGEST_PAUSE_MS = 5_000;

export function createReconciler({ looks, timer, now, log }: Deps): Reconciler {
  let unset: () => void = () => undefined;
  let stopped = false;
  let turn = 0;

  const tick = async (): Promise<void> => {
    const began = now();
    const look = looks[turn++ % looks.length];
    await look?.().catch((error: unknown) =>
      log.error({ err: error }, "unfinished work was not looked for; trying again"),
    );
    wait(Math.min(Math.max(TICK_MS, (now() - began) * PAUSE_PER_LOOK), LONGEST_PAUSE_MS));
  };
  const wait = (ms: number): void => {
    if (!stopped) unset = timer(() => void tick(), ms);
  };

  return {
    start: () => wait(TICK_MS),
    stop: () => {
      stopped = true;
      unset();
    },
  };
}

// Looks soon after something was announced, and once for all that is announced within a moment (D-315).

type WakeDeps = {
  readonly look: () => Promise<void>;
  readonly timer: Timer;
  readonly log: { error(details: object, message: string): void };
};

const MOMENT_MS = 100;

export function createWake({ look, timer, log }: WakeDeps): { readonly wake: () => void; readonly stop: () => void } {
  let unset: (() => void) | null = null;
  let isLooking = false;
  let again = false;
  let stopped = false;

  const now = async (): Promise<void> => {
    unset = null;
    isLooking = true;
    again = false;
    await look().catch((err: unknown) =>
      log.error({ err }, "a look after an announcement failed; the next one is regular"),
    );
    isLooking = false;
    if (again) wake();
  };
  const wake = (): void => {
    if (stopped) return;
    if (isLooking) again = true;
    else unset ??= timer(() => void now(), MOMENT_MS);
  };

  return {
    wake,
    stop: () => {
      stopped = true;
      unset?.();
    },
  };
}
