// Maps items to reads, a few at a time.

/** In the order of the items. After the first failure, running reads continue and no further read begins. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All workers draw from one generator; a failing worker closes it for the others.
  const queue = (function* () {
    yield* items.entries();
  })();
  const drawOn = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, drawOn));
  return results;
}
