// Repeats the result of a question that costs something for a while.

/** Within `ms` of its begin the last result is given again, also when it was a rejection. */
export function rarely<T>(ask: () => Promise<T>, ms: number, now = () => performance.now()): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | null = null;
  return () => {
    if (last === null || now() - last.at >= ms) last = { at: now(), result: ask() };
    return last.result;
  };
}
