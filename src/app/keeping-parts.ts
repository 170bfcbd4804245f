// What the duties on kept journals are made of.
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";

export type KeepingParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly wakeups: Pick<Wakeups, "every">;
};
