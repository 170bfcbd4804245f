// Waits for work within the limits of one caller. The work itself goes on: other callers may wait for it too.
import type { CallLimits } from "./reply.ts";

export type Within<T> =
  | { readonly is: "done"; readonly value: T }
  | { readonly is: "timed_out" }
  | { readonly is: "stopped" };

/** What comes first: the end of the work, the time limit, or the signal. Rejects when the work does. */
export function within<T>(work: Promise<T>, { limit_ms, signal }: CallLimits): Promise<Within<T>> {
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
