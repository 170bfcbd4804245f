// How long tasks took, so that a database can count it: ranks of a logarithm, of which a percentile is good to a twentieth.

const PER_DOUBLING = 8;

export const tookRank = (ms: number): number => Math.round(PER_DOUBLING * Math.log2(Math.max(0, ms) + 1));

const msOf = (rank: number): number => Math.round(2 ** (rank / PER_DOUBLING) - 1);

export type Took = { readonly rank: number; readonly tasks: number };

/** The time that `share` of the tasks took at most; null without tasks. */
export function percentile(took: readonly Took[], share: number): number | null {
  const all = took.reduce((total, { tasks }) => total + tasks, 0);
  let seen = 0;
  for (const { rank, tasks } of [...took].sort((a, b) => a.rank - b.rank)) {
    seen += tasks;
    if (seen >= all * share) return msOf(rank);
  }
  return null;
}
