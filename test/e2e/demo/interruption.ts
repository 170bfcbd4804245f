// How a demo that is stopped ends: with the exit code of the signal, once its files are removed.
import { constants } from "node:os";

/** Resolves with the exit code of a program that is stopped by a signal, or whose output is closed. */
export function interruption(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => resolve(128 + constants.signals[signal]));
    }
    process.stdout.on("error", () => resolve(128 + constants.signals.SIGPIPE));
  });
}
