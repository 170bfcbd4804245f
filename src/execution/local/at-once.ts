// Applies an act to many items, some of them at once. Without a library, because the flow's script carries none.

/** The results are in the order of the items. */
export async function someAtOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const work = async () => {
    // All workers share one iterator.
    for (const [position, item] of rest) results[position] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
