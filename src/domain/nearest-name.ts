// Finds the known name that a misspelt one is closest to.

/** Null when every known name needs more than `max_changes` changes. */
export function nearestName(name: string, known: readonly string[], max_changes: number): string | null {
  const ranked = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= max_changes)
    .map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }));
  const [nearest] = ranked.sort((a, b) => a.changes - b.changes);
  return nearest !== undefined && nearest.changes <= max_changes ? nearest.candidate : null;
}

/** How many letters are added, left out, replaced, or swapped with the next one. It is computed row by row. */
function changesBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      const kept = (row[at] ?? 0) + (from[index] === to[at] ? 0 : 1);
      const isSwapped = at > 0 && index > 0 && from[index] === to[at - 1] && from[index - 1] === to[at];
      const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : kept;
      next.push(Math.min(kept, swapped, (next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
