// Looks soon after something was announced, and once for all that is announced within a moment (D-315).
import type { Timer } from "../ports.ts";

type Deps = {
  readonly look: () => Promise<void>;
  readonly timer: Timer;
  readonly log: { error(details: object, message: string): void };
};

export type Wake = { readonly wake: () => void; readonly stop: () => void };

const MOMENT_MS = 100;

export function createWake({ look, timer, log }: Deps): Wake {
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
