// Waiting for work within the bounds of whoever waits. The work itself goes on unheard; others may be waiting for it too.
import type { Bounds } from "./reply.ts";

export type Within<T> =
  | { readonly is: "done"; readonly value: T }
  | { readonly is: "timed_out" }
  | { readonly is: "stopped" };

/** What comes first: the end of the work, the time limit, or the signal. Rejects when the work does. */
export function within<T>(work: Promise<T>, { limit_ms, signal }: Bounds): Promise<Within<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Within<T>>();
  const timer = setTimeout(resolve, limit_ms, { is: "timed_out" });
  const stop = () => resolve({ is: "stopped" });
  signal.addEventListener("abort", stop);
  work.then((value) => resolve({ is: "done", value }), reject);
  if (signal.aborted) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
