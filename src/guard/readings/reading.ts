// One question about a command, answered while it is interpreted. Several readings share one interpretation.
import type { Watcher } from "../interpreter/machine.ts";

export type GuardReading<T> = Watcher & {
  /** The interpretation broke off with an error: what it saw until then is not the whole command. */
  readonly failed: (error: unknown) => void;
  readonly result: () => T;
};
