// Runs tasks one after the other, those with a higher priority first. A caller may leave while its task waits; a task that has
// begun runs to its end.
import type PQueue from "p-queue";

type Turn = { readonly signal?: AbortSignal; readonly priority?: number };

/** Rejects with the reason of the signal when it is aborted before the task begins. */
export async function serialize<T>(queue: PQueue, task: () => Promise<T>, { signal, priority = 0 }: Turn): Promise<T> {
  signal?.throwIfAborted();
  const leaving = new AbortController();
  const leave = () => leaving.abort(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  const serve = () => {
    signal?.removeEventListener("abort", leave);
    return task();
  };
  return queue.add(serve, { signal: leaving.signal, priority });
}
