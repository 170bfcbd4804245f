// What is frozen, and what becomes of it once it is not.
import type { Config } from "../config/config.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import { createFreezes, type Freezes } from "../worker/freezes.ts";

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Dispatches what was held. */
  readonly release: () => Promise<void>;
};

export const composeFreezes = ({ freeze_windows }: Config, { store, clock, log, release }: Parts): Freezes =>
  createFreezes({
    store,
    clock,
    windows: freeze_windows,
    onEased: () =>
      void release().catch((err: unknown) => log.error({ err }, "what was held is looked for again in a few seconds")),
  });
