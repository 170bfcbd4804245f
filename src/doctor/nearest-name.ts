// Finds the known name that is most similar to a misspelled one.

/** Null when every known name needs more than `max_changes` changes. */
export function nearestName(name: string, known: readonly string[], max_changes: number): string | null {
  const ranked = known.map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }));
  const [nearest] = ranked.sort((a, b) => a.changes - b.changes);
  return nearest !== undefined && nearest.changes <= max_changes ? nearest.candidate : null;
}

/** The Levenshtein distance, computed row by row. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row_index, letter] of [...from].entries()) {
    const next = [row_index + 1];
    for (let at = 0; at < to.length; at++) {
      const kept = (row[at] ?? 0) + (letter === to[at] ? 0 : 1);
      next.push(Math.min(kept, (next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
