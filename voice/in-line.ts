// A line in which one is served at a time. Whoever leaves while waiting is not served; whoever is being served keeps the place
// to the end, because what was begun goes on.
import type PQueue from "p-queue";

/** Rejects with the reason of the signal when it is aborted before the turn has come. */
export async function inLine<T>(queue: PQueue, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const leaving = new AbortController();
  const leave = () => leaving.abort(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  const serve = () => {
    signal?.removeEventListener("abort", leave);
    return task();
  };
  return queue.add(serve, { signal: leaving.signal });
}
