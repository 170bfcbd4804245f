// Which of the known names somebody meant: the one that takes the fewest changed, added or left out letters.

/** Null when none is as near as that. */
export function nearestName(name: string, known: readonly string[], max_changes: number): string | null {
  const ranked = known.map((candidate) => ({ candidate, changes: changesBetween(name, candidate) }));
  const [nearest] = ranked.sort((a, b) => a.changes - b.changes);
  return nearest !== undefined && nearest.changes <= max_changes ? nearest.candidate : null;
}

/** Levenshtein's distance, row by row. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (const [place, letter] of [...from].entries()) {
    const next = [place + 1];
    for (let at = 0; at < to.length; at++) {
      const kept = (row[at] ?? 0) + (letter === to[at] ? 0 : 1);
      next.push(Math.min(kept, (next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
