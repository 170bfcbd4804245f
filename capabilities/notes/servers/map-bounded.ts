// Many reads, some at a time.

/** In the order of the items. The first that fails ends it: what has begun goes on, nothing further begins. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // A generator, which all of them draw from, and which a failing one closes for the others.
  const queue = (function* () {
    yield* items.entries();
  })();
  const drawOn = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, drawOn));
  return results;
}
